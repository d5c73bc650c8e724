import type { Projection } from '@kontor/protocol';

/** The paths that the records of a view need, collected while it is built. */
export interface Paths {
  readonly plain: Set<string>;
  /** By x2many field: what its lines need. */
  readonly lines: Map<string, Paths>;
}

export function noPaths(): Paths {
  return { plain: new Set(), lines: new Map() };
}

export function linesOf(paths: Paths, field: string): Paths {
  const known = paths.lines.get(field);
  if (known) return known;
  const lines = noPaths();
  paths.lines.set(field, lines);
  return lines;
}

export function toProjection(paths: Paths): Projection {
  const plain = [...paths.plain].filter((path) => path !== 'id' && !paths.lines.has(path));
  if (paths.lines.size === 0) return plain;
  return [...plain, Object.fromEntries([...paths.lines].map(([field, lines]) => [field, toProjection(lines)]))];
}
