/** The peer for acceptance: a Fastify server that accepts the same request without storing anything. */
import Fastify from 'fastify'

const server = Fastify()
server.post('/emails', (request, reply) => {
  const { from } = request.body as { from: string }
  return reply
    .code(202)
    .send({ id: '019a9f3c-7a10-7c3e-9d3b-0a1b2c3d4e5f', from: from.length > 0 ? undefined : null })
})
await server.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
