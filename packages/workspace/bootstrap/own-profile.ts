import { type Env, imageType } from '@kontor/orm';
import type { Bootstrap, CompanyEntry } from '@kontor/protocol';

/** A larger picture is left to the profile page, because this one is part of every page. */
const maxImage = 200_000;

export interface OwnProfile {
  readonly user: Bootstrap['user'];
  readonly company: CompanyEntry;
  readonly companies: readonly CompanyEntry[];
  readonly pinnedApps: readonly string[];
  readonly hourCycle: Bootstrap['hourCycle'];
}

/** The user and their companies, for the shell. */
export async function ownProfile(env: Env): Promise<OwnProfile> {
  const { actor } = env;
  const server = env.sudo();
  const ids = [...actor.companyIds];
  const [[user], companies] = await Promise.all([
    server.model('core.user').read([actor.uid], ['name', 'login', 'image', 'pinned_apps']),
    server.model('core.company').searchRead([['id', 'in', ids]], ['name', 'country_id.code']),
  ]);
  const entries = companies.map(({ id, name }) => ({ id, name: String(name) }));
  const name = String(user?.name ?? '');
  return {
    user: {
      id: actor.uid,
      name,
      login: String(user?.login ?? ''),
      initials: initialsOf(name),
      ...pictureOf(user?.image),
      isAdmin: actor.groups.has('base.group_system'),
      tz: actor.tz,
    },
    company: entries.find(({ id }) => id === actor.companyId) ?? { id: actor.companyId ?? 0, name: '' },
    companies: entries,
    hourCycle: clockOf(companies.find(({ id }) => id === actor.companyId)?.['country_id.code']),
    pinnedApps: Array.isArray(user?.pinned_apps) ? user.pinned_apps.map(String) : [],
  };
}

/** What clocks show in a country; undefined: nobody said which country it is. */
function clockOf(country: unknown): Bootstrap['hourCycle'] {
  if (typeof country !== 'string') return undefined;
  const place = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    readonly hourCycles?: readonly string[];
    getHourCycles?(): readonly string[];
  };
  const [usual] = place.getHourCycles?.() ?? place.hourCycles ?? [];
  return usual === 'h12' || usual === 'h11' ? 'h12' : 'h23';
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

function pictureOf(value: unknown): { readonly image?: string } {
  if (typeof value !== 'string' || value.length > maxImage) return {};
  const type = imageType(Buffer.from(value.slice(0, 64), 'base64'));
  return type === null ? {} : { image: `data:${type};base64,${value}` };
}
