import type { Kernel } from '@kontor/kernel';
import { type Box, citiesInside, citiesNamed } from '@kontor/parts';
import { invalidArgs } from '@kontor/protocol';
import type { RawQuery } from '@kontor/workspace';
import type { FastifyInstance } from 'fastify';
import { sendResult } from '../answers/send-shell.ts';
import { signedIn } from '../guards/authenticate.ts';

const mostNamed = 8;
const mostInside = 60;

/** Cities of the gazetteer: those with a matching name (`q`), or the largest within `area`, for map labels. */
export function placeRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/wc/places', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { q, area } = request.query as RawQuery;
    if (typeof area === 'string') return sendResult(reply, citiesInside(boxOf(area), mostInside));
    if (typeof q === 'string') return sendResult(reply, citiesNamed(q.slice(0, 100), mostNamed));
    throw invalidArgs('Pass q, the beginning of a name, or area: south, west, north, east.', { field: 'q' });
  });
}

function boxOf(text: string): Box {
  const parts = text.split(',').map(Number);
  const [south, west, north, east] = parts;
  if (parts.length === 4 && parts.every(Number.isFinite)) return { south, west, north, east } as Box;
  throw invalidArgs('area must be south, west, north and east, such as 47.2,5.8,55.1,15.1.', { field: 'area' });
}
