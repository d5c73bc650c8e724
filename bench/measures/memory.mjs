import { residentMegabytes } from '../world/process-usage.mjs';
import { driveCall } from './measure-call.mjs';

/** What the server holds when it was only started, and after lists under load. */
export async function measureMemory(world, { seconds }) {
  await driveCall(world, 'list', { connections: 32, seconds: seconds * 3 });
  return [
    { measure: 'memory at rest', ours: `${world.restMegabytes.toFixed(0)} MB`, goal: '100 MB' },
    { measure: 'memory after lists', ours: `${residentMegabytes(world.server.pid).toFixed(0)} MB`, goal: '180 MB' },
  ];
}
