import { useEffect, useId, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Skeleton } from '../../ui/parts.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { recordsOf } from '../tags.tsx';
import './styles.css';

interface Known {
  readonly groups: readonly Group[];
  readonly apps: readonly AppGroups[];
}

/** A user's access rights, app by app, with the labels of the apps. */
export function GroupsEdit({ id, label, value, onChange, describedBy }: FieldEditProps) {
  const known = useGroups();
  const chosen = recordsOf(value);
  const ids = new Set(chosen.map((one) => one.id));
  if (!known) return <Skeleton width="50%" />;
  const given = withImplied(ids, known.groups);
  const replace = (gone: readonly Group[], come: Group | undefined) => {
    const rest = chosen.filter((one) => !gone.some((group) => group.id === one.id));
    onChange(come ? [...rest, { id: come.id, display_name: come.name }] : rest);
  };
  return (
    <fieldset id={id} className="shrink full groups" aria-label={label} aria-describedby={describedBy}>
      {known.apps.map((app) => (
        <div key={app.module} className="stack lined last-bare gap-4 rows-2 groups-app">
          <b className="semi">{app.label}</b>
          <div className="row wrap shrink gap-4 rows-1 groups-choices">
            {app.levels.length > 0 && (
              <Level app={app} given={given} onChoose={(group) => replace(app.levels, group)} />
            )}
            {app.others.map((group) => (
              <label key={group.id} className="row groups-one" title={group.comment ?? undefined}>
                <input
                  type="checkbox"
                  className="box"
                  checked={ids.has(group.id)}
                  onChange={(event) => replace([group], event.target.checked ? group : undefined)}
                />
                {shortName(group)}
              </label>
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

interface LevelProps {
  readonly app: AppGroups;
  /** Selected, or implied by a selected one. */
  readonly given: ReadonlySet<number>;
  readonly onChoose: (group: Group | undefined) => void;
}

function Level({ app, given, onChoose }: LevelProps) {
  const hint = useId();
  const now = app.levels.findLast((group) => given.has(group.id));
  return (
    <>
      <select
        className="input"
        aria-label={app.label}
        aria-describedby={hint}
        value={now?.id ?? ''}
        onChange={(event) => onChoose(app.levels.find((group) => String(group.id) === event.target.value))}
      >
        <option value="">{t('No access')}</option>
        {app.levels.map((group) => (
          <option key={group.id} value={group.id}>
            {shortName(group)}
          </option>
        ))}
      </select>
      <p id={hint} className="small mut groups-about">
        {now?.comment ?? ''}
      </p>
    </>
  );
}

function useGroups(): Known | null {
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    const groups = searchRead('core.group', [], ['name', 'key', 'comment', 'implied_ids'], { order: 'name' });
    const modules = searchRead('sys.module', [['state', '!=', 'uninstalled']], ['name', 'label']);
    Promise.all([groups, modules]).then(
      ([all, installed]) => setKnown(knownGroups(all, installed)),
      () => {},
    );
  }, []);
  return known;
}

function knownGroups(all: readonly RecordValues[], modules: readonly RecordValues[]): Known {
  const groups = all as readonly Group[];
  const labels = new Map(modules.map(({ name, label }) => [String(name), String(label)]));
  return { groups, apps: groupsByApp(groups, labels, t('Role')) };
}

/** An access group, as the rights page reads it. */
export interface Group extends RecordValues {
  readonly name: string;
  /** `sale.group_manager`: the part before the dot is the module. */
  readonly key: string;
  readonly comment: string | null;
  readonly implied_ids: readonly number[];
}

/** The groups of one app: levels that imply each other are one choice, the others are checkboxes. */
interface AppGroups {
  readonly module: string;
  readonly label: string;
  /** From the lowest to the highest. */
  readonly levels: readonly Group[];
  readonly others: readonly Group[];
}

/** By app, the base first, then by name. */
export function groupsByApp(
  groups: readonly Group[],
  labels: ReadonlyMap<string, string>,
  baseLabel: string,
): readonly AppGroups[] {
  const modules = [...new Set(groups.map(moduleOf))];
  return modules
    .map((module) => {
      const own = groups.filter((group) => moduleOf(group) === module);
      const levels = longestChain(own);
      const others = own.filter((group) => !levels.includes(group));
      const label = module === 'base' ? baseLabel : (labels.get(module) ?? module);
      return { module, label, levels, others };
    })
    .sort((a, b) => Number(b.module === 'base') - Number(a.module === 'base') || a.label.localeCompare(b.label));
}

function moduleOf({ key }: Group): string {
  return key.split('.')[0] ?? '';
}

/** `Sales: Manager` below the heading Sales becomes `Manager`. */
export function shortName({ name }: Group): string {
  const [, short] = /^[^:]+: *(.+)$/.exec(name) ?? [];
  return short ? short.charAt(0).toLocaleUpperCase() + short.slice(1) : name;
}

/** All groups that the given ones imply, directly or indirectly. */
export function withImplied(chosen: ReadonlySet<number>, groups: readonly Group[]): ReadonlySet<number> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const all = new Set(chosen);
  for (const id of all) for (const implied of byId.get(id)?.implied_ids ?? []) all.add(implied);
  return all;
}

function longestChain(groups: readonly Group[]): readonly Group[] {
  const chains = groups.map((top) => chainBelow(top, groups, new Set()));
  const longest = chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [] as readonly Group[]);
  return longest.length > 1 ? longest : [];
}

function chainBelow(top: Group, groups: readonly Group[], seen: ReadonlySet<number>): readonly Group[] {
  if (seen.has(top.id)) return [];
  const below = groups.filter(({ id }) => top.implied_ids.includes(id));
  const chains = below.map((group) => chainBelow(group, groups, new Set([...seen, top.id])));
  const longest = chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [] as readonly Group[]);
  return [...longest, top];
}
