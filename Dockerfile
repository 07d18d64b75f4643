# The image of Sendwright for amd64 and arm64. ops/image/build-root.sh builds the same root file system without a container
# engine, and a test runs it.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --tag sendwright .

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --omit=dev && node ops/image/build-app.ts /image

FROM debian:bookworm-slim
COPY --from=build /image/ /
COPY ops/image/add-user.sh /tmp/add-user.sh
RUN sh /tmp/add-user.sh && rm /tmp/add-user.sh

# With a read-only root file system, only the volume is written to, and /tmp if it is writable.
ENV SENDWRIGHT_DATA_DIR=/data \
    HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
# The API and the dashboard; bounces; submission with STARTTLS and with TLS.
EXPOSE 8080 2525 2587 2465
# Requests and SMTP sessions in progress get 30 s. Give the container 40 s to stop (--stop-timeout 40).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["sendwright-ready"]
ENTRYPOINT ["sendwright"]
CMD ["serve"]
