import { useEffect, useId, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Skeleton } from '../../ui/parts.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { recordsOf } from '../tags/records-of.ts';
import { type AppGroups, type Group, groupsByApp, shortName, withImplied } from './group-choices.ts';
import './styles.css';

interface Known {
  readonly groups: readonly Group[];
  readonly apps: readonly AppGroups[];
}

/** What a person may do, app by app, in the words of the apps. */
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
    <fieldset id={id} className="groups" aria-label={label} aria-describedby={describedBy}>
      {known.apps.map((app) => (
        <div key={app.module} className="groups-app">
          <b>{app.label}</b>
          <div className="groups-choices">
            {app.levels.length > 0 && (
              <Level app={app} given={given} onChoose={(group) => replace(app.levels, group)} />
            )}
            {app.others.map((group) => (
              <label key={group.id} className="groups-one" title={group.comment ?? undefined}>
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
  /** Chosen, or implied by one that is. */
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
      <p id={hint} className="groups-about">
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
      ([all, installed]) => setKnown(toKnown(all, installed)),
      () => {},
    );
  }, []);
  return known;
}

function toKnown(all: readonly RecordValues[], modules: readonly RecordValues[]): Known {
  const groups = all as unknown as readonly Group[];
  const labels = new Map(modules.map(({ name, label }) => [String(name), String(label)]));
  return { groups, apps: groupsByApp(groups, labels, t('Role')) };
}
