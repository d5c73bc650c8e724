import type { ViewNode } from '../view-node.ts';
import type { CheckContext } from './check-context.ts';

/** Throws a ViewError with the place and the nearest valid name where a composed view names what does not exist. */
export function checkView(_view: ViewNode, _context: CheckContext): void {
  throw new Error('Under construction.');
}
