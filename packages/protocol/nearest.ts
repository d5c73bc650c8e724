/** The candidate that was most likely meant, or null if none is close enough to suggest. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  most = Math.max(1, Math.floor(name.length / 3)),
): string | null {
  let best: string | null = null;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of a message: ` Did you mean "amount_total"?`, or empty if no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const candidate = nearest(name, candidates);
  return candidate === null ? '' : ` Did you mean "${candidate}"?`;
}

const mostListed = 12;
/** Fields that every model has: hardly ever meant. */
const ofEveryModel = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid', 'display_name']);

/** The end of a message: the likely candidate, otherwise the first of all: ` Choose one of: name, email.` Empty if there is none. */
export function chooseOne(name: string, candidates: Iterable<string>): string {
  const all = [...candidates];
  const near = didYouMean(name, all);
  if (near !== '' || all.length === 0) return near;
  const own = all.filter((each) => !ofEveryModel.has(each));
  const listed = own.length === 0 ? all : own;
  return ` Choose one of: ${listed.slice(0, mostListed).join(', ')}${listed.length > mostListed ? ', …' : '.'}`;
}

/** For an unknown model: the likely one, otherwise the addon to depend on, if none of those known defines models of that name. */
export function modelHint(name: string, models: Iterable<string>): string {
  const known = [...models];
  const near = didYouMean(name, known);
  const [addon = ''] = name.split('.');
  if (near !== '' || known.some((each) => each.startsWith(`${addon}.`))) return near;
  return ' Add the addon that defines it to "depends" in manifest.json.';
}

/** Insertions, deletions, replacements and swaps of neighbours, each counting one. */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let distance = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + cost,
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) distance = Math.min(distance, (twoAbove[column - 2] as number) + 1);
      current.push(distance);
    }
    twoAbove = above;
    above = current;
  }
  return above[b.length] as number;
}
