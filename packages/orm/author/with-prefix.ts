/**
 * Paths through a relation.
 * ```ts
 * const place = ['city', 'country_id.code'] as const;
 * export const companyPaths = withPrefix('company_id', place); // 'company_id.city', 'company_id.country_id.code'
 * ```
 */
export function withPrefix<const Prefix extends string, const Path extends string>(
  prefix: Prefix,
  paths: readonly Path[],
): readonly `${Prefix}.${Path}`[] {
  return paths.map((path) => `${prefix}.${path}` as const);
}
