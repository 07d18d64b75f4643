import process from 'node:process'
import { exercise } from './exercise.mjs'

console.log(JSON.stringify(await exercise(JSON.parse(process.argv[2]))))
