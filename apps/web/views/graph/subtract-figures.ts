import type { Figure } from '../../door/index.ts';

function sum(one: Figure, other: Figure): Figure {
  const [a, b] = [parts(one), parts(other)];
  if (!a || !b) return Number(one) + Number(other);
  const scale = Math.max(a.scale, b.scale);
  const digits = written(a.digits * 10n ** BigInt(scale - a.scale) + b.digits * 10n ** BigInt(scale - b.scale), scale);
  return typeof one === 'string' || typeof other === 'string' ? digits : Number(digits);
}

/** The exact difference of two decimal strings: 0.3 - 0.2 is 0.1. */
export function subtractFigures(one: Figure, other: Figure): Figure {
  const text = String(other ?? 0);
  const turned = text.startsWith('-') ? text.slice(1) : `-${text}`;
  return sum(one, typeof other === 'string' ? turned : Number(turned));
}

function parts(figure: Figure): { readonly digits: bigint; readonly scale: number } | null {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(String(figure ?? 0));
  if (!match) return null;
  const [, whole = '0', rest = ''] = match;
  return { digits: BigInt(whole + rest), scale: rest.length };
}

function written(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
