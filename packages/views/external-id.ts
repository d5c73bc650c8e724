/** The full external id of a name in an addon's file: bare names belong to the same addon. */
export function fullId(name: string, addon: string): string {
  return name.includes('.') ? name : `${addon}.${name}`;
}

/** `a, module.b` as full external ids. */
export function fullIds(names: string, addon: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => fullId(name, addon));
}
