const browsers = [
  ['Firefox/', 'Firefox'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** What a person calls the device; the header itself tells them nothing. */
export function deviceName(agent: string | null): string {
  const browser = browsers.find(([mark]) => agent?.includes(mark))?.[1];
  const system = systems.find(([mark]) => agent?.includes(mark))?.[1];
  if (!browser && !system) return agent?.slice(0, 40) || 'Unknown device';
  return [browser, system].filter(Boolean).join(', ');
}
