import { Decimal, type Draft } from '@kontor/addon';

const ratePaths = ['kind', 'hourly', 'date_start', 'date_end'] as const;

/** The paths that the rate of a time entry depends on. */
export const rateSources = [
  'date',
  'user_id',
  'project_id.company_id',
  ...ratePaths.map((path) => `project_id.rate_ids.${path}` as const),
  'project_id.rate_ids.user_id',
  ...ratePaths.map((path) => `user_id.project_rate_ids.${path}` as const),
  'user_id.project_rate_ids.project_id',
  'user_id.project_rate_ids.company_id',
  ...ratePaths.map((path) => `project_id.company_id.project_rate_ids.${path}` as const),
] as const;

type Entry = Draft<'project.time', (typeof rateSources)[number]>;
interface Rate {
  readonly kind: 'price' | 'cost' | null;
  readonly hourly: Decimal | null;
  readonly date_start: string | null;
  readonly date_end: string | null;
}

/** What an hour of the entry is worth: by person and project, by project, by person, or by company; null: nobody said. */
export function rateOf({ date, user_id: user, project_id: project }: Entry, kind: 'price' | 'cost'): Decimal | null {
  if (project === null || date === null) return null;
  const company = project.company_id?.id;
  const ofProject = project.rate_ids ?? [];
  const candidates: readonly (readonly Rate[])[] = [
    ofProject.filter((rate) => rate.user_id !== null && rate.user_id.id === user?.id),
    ofProject.filter((rate) => rate.user_id === null),
    (user?.project_rate_ids ?? []).filter((rate) => rate.project_id === null && rate.company_id?.id === company),
    project.company_id?.project_rate_ids ?? [],
  ];
  for (const rates of candidates) {
    const valid = rates.find(
      ({ kind: own, date_start: from, date_end: until }) =>
        own === kind && (from === null || from <= date) && (until === null || date <= until),
    );
    if (valid) return valid.hourly ?? new Decimal(0);
  }
  return null;
}
