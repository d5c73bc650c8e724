import type { CatalogueEntry } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Badge } from '../../ui/parts.tsx';
import type { ModuleDo } from './catalogue.ts';

interface AppCardProps {
  readonly entry: CatalogueEntry;
  readonly labelOf: (module: string) => string;
  /** The operation in progress. */
  readonly doing: ModuleDo | null;
  readonly isLocked: boolean;
  readonly onDo: (what: ModuleDo) => void;
  /** Absent if it cannot be removed from the server in the browser. */
  readonly onRemove?: () => void;
}

export function AppCard({ entry, labelOf, doing, isLocked, onDo, onRemove }: AppCardProps) {
  const isThere = entry.state !== 'uninstalled';
  return (
    <li
      className={`stack gap-3 anchor surface clip framed round-l at-start pad-4 shade apps-card ${isThere ? '' : 'is-new'}`}
      aria-busy={doing !== null}
    >
      <span className="middle rigid accent clip round-l tinted square-44 mark tile-mark">
        <NamedIcon name={entry.icon} size={24} />
      </span>
      <div className="stack gap-1 shrink tall packed">
        <h2>{entry.label}</h2>
        <p className="mut">{entry.summary}</p>
        <Facts entry={entry} labelOf={labelOf} />
        {entry.problem && <p className="bad">{entry.problem}</p>}
      </div>
      <div className="row gap-1">
        {isThere ? (
          <Menu
            label={t('Actions for {name}', { name: entry.label })}
            align="end"
            entries={entriesOf(entry, labelOf, onDo)}
            trigger={(props) => (
              <IconButton
                icon="ellipsis"
                label={t('More for {name}', { name: entry.label })}
                disabled={isLocked}
                {...props}
              />
            )}
          />
        ) : (
          <>
            <Button kind="primary" disabled={isLocked || entry.problem !== undefined} onClick={() => onDo('install')}>
              {doing === 'install' ? t('Installing …') : t('Install')}
            </Button>
            {onRemove && (
              <IconButton
                icon="trash-2"
                label={t('Remove {name}', { name: entry.label })}
                disabled={isLocked}
                onClick={onRemove}
              />
            )}
          </>
        )}
      </div>
      {doing && <progress className="full pin across no-border tinted apps-progress" aria-label={t('Working')} />}
    </li>
  );
}

function Facts({ entry, labelOf }: Pick<AppCardProps, 'entry' | 'labelOf'>) {
  return (
    <p className="row wrap small above-1">
      {entry.state !== 'uninstalled' && (
        <Badge look={entry.state === 'installed' ? 'ok' : 'warn'}>
          {entry.state === 'installed' ? t('Installed') : t('Inactive')}
        </Badge>
      )}
      <span className="dim">{entry.version}</span>
      {entry.brings.length > 0 && (
        <span className="dim">{t('also installs {names}', { names: entry.brings.map(labelOf).join(', ') })}</span>
      )}
      {entry.added && (
        <span className="dim" title={entry.added.integrity}>
          {t('added from {source}', { source: entry.added.from })}
        </span>
      )}
    </p>
  );
}

function entriesOf(
  entry: CatalogueEntry,
  labelOf: AppCardProps['labelOf'],
  onDo: AppCardProps['onDo'],
): readonly MenuEntry[] {
  const needed = entry.dependents.length > 0;
  return [
    { key: 'upgrade', label: t('Upgrade'), icon: 'refresh-cw', run: () => onDo('upgrade') },
    ...(entry.state === 'inactive'
      ? [{ key: 'activate', label: t('Activate'), icon: 'eye' as const, run: () => onDo('activate') }]
      : [
          {
            key: 'deactivate',
            label: t('Deactivate'),
            icon: 'eye-off' as const,
            isDisabled: entry.required,
            run: () => onDo('deactivate'),
          },
        ]),
    {
      key: 'uninstall',
      label: t('Uninstall …'),
      icon: 'trash-2',
      isDanger: true,
      isDisabled: entry.required,
      ...(needed ? { hint: t('with {names}', { names: entry.dependents.map(labelOf).join(', ') }) } : {}),
      run: () => onDo('uninstall'),
    },
  ];
}
