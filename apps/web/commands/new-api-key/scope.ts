/** What a key may do, as the dialog asks for it. */
export type Reach = 'all' | 'read' | 'some';

export interface ModelReach {
  readonly model: string;
  readonly canChange: boolean;
}

const reading = ['search', 'search_read', 'read', 'read_group'];
const changing = ['create', 'write', 'unlink', 'create_many', 'write_many', 'unlink_many', 'call', 'onchange'];

/** The JSON of a key's scope; empty: all that the owner may. */
export function scopeOf(reach: Reach, models: readonly ModelReach[]): string {
  if (reach === 'all') return '';
  if (reach === 'read') return JSON.stringify({ '*': reading });
  const named = models.filter(({ model }) => model.trim() !== '');
  return JSON.stringify(
    Object.fromEntries(
      named.map(({ model, canChange }) => [model.trim(), canChange ? [...reading, ...changing] : reading]),
    ),
  );
}

const days: Readonly<Record<string, number>> = { month: 30, quarter: 90, year: 365 };

/** When a key ends, as the server takes it; empty: never. */
export function expiryOf(choice: string, day: string, now = new Date()): string {
  if (choice === 'never') return '';
  if (choice === 'day') return day === '' ? '' : new Date(`${day}T23:59:59Z`).toISOString();
  return new Date(now.getTime() + (days[choice] ?? 0) * 86_400_000).toISOString();
}
