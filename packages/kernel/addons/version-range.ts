type Version = readonly [number, number, number];
type Test = (version: Version) => boolean;

const partial = /^(\^|~|>=|<=|>|<|=)?\s*v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/;

/** Whether a text is a range of versions as npm writes it: `^1.0`, `~1.2.3`, `>=1.2 <3`, `1.x`, `1.4 || 2`. */
export function isVersionRange(range: string): boolean {
  return testsOf(range) !== null;
}

/** Whether a version such as 1.0.2 is in a range; anything after the third number is ignored. */
export function isInRange(version: string, range: string): boolean {
  return testsOf(range)?.some((all) => all.every((test) => test(versionOf(version)))) ?? false;
}

export function isOlder(version: string, other: string): boolean {
  return compare(versionOf(version), versionOf(other)) < 0;
}

function versionOf(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
}

/** Alternatives, each a list of tests that must all pass. */
function testsOf(range: string): readonly (readonly Test[])[] | null {
  const choices = range.split('||').map((choice) => {
    const words = choice
      .trim()
      .replaceAll(/([<>=^~])\s+/g, '$1')
      .split(/\s+/);
    return words.map(testOf);
  });
  const isWhole = choices.every((tests) => tests.every((test) => test !== null));
  return isWhole ? (choices as readonly (readonly Test[])[]) : null;
}

function testOf(word: string): Test | null {
  const match = partial.exec(word);
  if (!match) return null;
  const [, sign = ''] = match;
  const parts = match.slice(2).map((part) => (part === undefined || /[x*]/.test(part) ? null : Number(part)));
  const given = parts.indexOf(null) < 0 ? 3 : parts.indexOf(null);
  const least: Version = [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
  // The first version that no longer has the given numbers: 1.3.0 for 1.2, 2.0.0 for 1.
  const after = given === 0 ? null : next(least, given - 1);
  const isBelow = (version: Version, other: Version | null) => other === null || compare(version, other) < 0;
  if (sign === '>=') return (version) => compare(version, least) >= 0;
  if (sign === '<') return (version) => given > 0 && compare(version, least) < 0;
  if (sign === '>') return (version) => !isBelow(version, after);
  if (sign === '<=') return (version) => isBelow(version, after);
  const end = sign === '^' ? caretEnd(least, given) : sign === '~' ? tildeEnd(least, given) : after;
  return (version) => compare(version, least) >= 0 && isBelow(version, end);
}

/** Up to the next change of the first number that is not zero. */
function caretEnd(least: Version, given: number): Version | null {
  if (given === 0) return null;
  const first = least.findIndex((part) => part > 0);
  return next(least, first < 0 ? given - 1 : Math.min(first, given - 1));
}

function tildeEnd(least: Version, given: number): Version | null {
  return given === 0 ? null : next(least, Math.min(1, given - 1));
}

function next(version: Version, at: number): Version {
  return version.map((part, index) => (index < at ? part : index === at ? part + 1 : 0)) as unknown as Version;
}

function compare(a: Version, b: Version): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
