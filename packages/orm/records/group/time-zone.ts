/** The user's time zone as the database knows it; UTC where the name is not one. */
export function usableTimeZone(tz: string): string {
  let isKnown = known.get(tz);
  if (isKnown === undefined) {
    isKnown = isTimeZone(tz);
    if (known.size < 1000) known.set(tz, isKnown);
  }
  return isKnown ? tz : 'UTC';
}

const known = new Map<string, boolean>();

function isTimeZone(tz: string): boolean {
  // Offsets such as +02:00 are known to both, with opposite signs.
  if (!/^[A-Za-z]/.test(tz)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: tz });
    return true;
  } catch {
    return false;
  }
}
