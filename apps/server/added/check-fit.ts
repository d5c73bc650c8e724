import { type Catalogue, dependsOf, isInRange, kontorVersion, type Manifest } from '@kontor/kernel';
import { KontorError, type Text, text } from '@kontor/protocol';

/** Rejects addons that are incompatible with this Kontor and the other addons; lists every unmet requirement. */
export function checkFit(manifests: readonly Manifest[], catalogue: Catalogue): void {
  const there = new Map([...catalogue].map(([name, { manifest }]) => [name, manifest]));
  for (const manifest of manifests) there.set(manifest.name, manifest);
  const names = new Set(manifests.map(({ name }) => name));
  const problems = manifests.flatMap((manifest) => [
    ...ownProblems(manifest, catalogue),
    ...manifest.depends.flatMap((needed) => problemWith(manifest, needed, there)),
  ]);
  for (const manifest of there.values()) {
    if (names.has(manifest.name)) continue;
    problems.push(
      ...manifest.depends
        .filter((needed) => names.has(needed))
        .flatMap((needed) => problemWith(manifest, needed, there)),
    );
  }
  refuse(problems);
}

function ownProblems({ name, kontor }: Manifest, catalogue: Catalogue): readonly Text[] {
  const problems: Text[] = [];
  const version = kontorVersion();
  if (catalogue.get(name)?.isShipped) {
    problems.push(text('"{name}" is part of Kontor and cannot be replaced by an added addon.', { name }));
  }
  if (kontor !== '' && !isInRange(version, kontor)) {
    problems.push(
      text('"{name}" requires Kontor {range}, but this is Kontor {version}.', { name, range: kontor, version }),
    );
  }
  return problems;
}

function problemWith({ name, ranges }: Manifest, needed: string, there: ReadonlyMap<string, Manifest>) {
  const range = ranges[needed];
  const version = there.get(needed)?.version;
  if (version === undefined) {
    const wanted = [needed, range].filter(Boolean).join(' ');
    return [text('"{name}" requires {wanted}, which is missing. Add it first, or together with it.', { name, wanted })];
  }
  if (range === undefined || isInRange(version, range)) return [];
  return [
    text('"{name}" requires {needed} {range}, but this is {needed} {version}.', { name, needed, range, version }),
  ];
}

/** Rejects the removal of an addon that others on the disk depend on. */
export function checkUnneeded(name: string, catalogue: Catalogue): void {
  const others = [...catalogue.values()].filter((addon) => dependsOf(addon, catalogue).includes(name));
  if (others.length === 0) return;
  const addons = others.map((addon) => addon.name).join(', ');
  refuse([text('These addons require "{name}": {addons}. Remove them first.', { name, addons })]);
}

/** All of them at once. */
function refuse([first, ...rest]: readonly Text[]): void {
  if (!first) return;
  const words = rest.reduce((before, next) => text('{before} {next}', { before, next }), first);
  throw new KontorError('USER_ERROR', words);
}
