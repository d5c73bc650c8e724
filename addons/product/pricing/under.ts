/** Paths behind a relation: `under('product_id', ['name'])` is `['product_id.name']`. */
export function under<const Prefix extends string, const Path extends string>(
  prefix: Prefix,
  paths: readonly Path[],
): readonly `${Prefix}.${Path}`[] {
  return paths.map((path) => `${prefix}.${path}` as const);
}
