/** An estimate of the width of a label, in letters of a usual width and wide ones. */
export function labelWidth(label: string, letter: number): number {
  const wide = label.match(/[mwMW]/g)?.length ?? 0;
  return Math.ceil(label.length * letter) + wide * 2;
}
