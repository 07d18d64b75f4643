import { exercise } from './exercise.mjs'

export default {
  fetch: async (request) => Response.json(await exercise(await request.json())),
}
