import type { AppsScreenData, CatalogueEntry, UninstallPreview } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { onEvent } from '../../data/bus.ts';
import { showError } from '../../data/changes.ts';
import { refreshMenus } from '../../data/menus.ts';
import { announce, showToast } from '../../data/toasts.ts';
import { t, tn } from '../../i18n/messages.ts';
import { formatInteger } from '../../i18n/numbers.ts';
import { navigate } from '../../navigation/router.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState, Skeleton } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { AddAppDialog, RemoveAppDialog } from './add-app.tsx';
import { AppCard } from './app-card.tsx';
import { changeModule, findEntries, type ModuleDo, previewUninstall, type Shown } from './catalogue.ts';
import './styles.css';

interface RunningChange {
  readonly module: string;
  readonly what: ModuleDo;
}

/** The catalogue: available and installed apps, and what installing or removing one means. */
export function AppsScreen({ data, reload }: ScreenProps<AppsScreenData>) {
  const [shown, setShown] = useState<Shown>({ text: '', category: '', state: '', withParts: false });
  const { doing, run } = useModuleChange(reload);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const labelOf = (module: string) => data.modules.find((entry) => entry.module === module)?.label ?? module;
  const found = findEntries(data.modules, shown);
  const installed = data.modules.filter(({ application, state }) => application && state !== 'uninstalled');
  // Another user or window may install at the same time.
  useEffect(() => onEvent('module.changed', reload), [reload]);
  const showOnly = (text: string) => {
    setShown((now) => (text ? { text, category: '', state: '', withParts: false } : { ...now, text }));
    reload();
  };
  return (
    <Page
      title={t('Apps')}
      about={tn('{n} app is installed', '{n} apps are installed', installed.length)}
      tools={
        <>
          <Filters {...{ data, shown }} onChange={(part) => setShown((now) => ({ ...now, ...part }))} />
          {data.mayAdd && (
            <Button icon="upload" onClick={() => setDialog({ kind: 'add' })}>
              {t('Add an app')}
            </Button>
          )}
        </>
      }
    >
      {found.length === 0 ? (
        <EmptyState icon="puzzle" title={t('Nothing found')}>
          <p>{t('Try another word, or show components.')}</p>
        </EmptyState>
      ) : (
        <ul className="stack gap-4 apps-list">
          {found.map((entry) => (
            <AppCard
              key={entry.module}
              entry={entry}
              labelOf={labelOf}
              doing={doing?.module === entry.module ? doing.what : null}
              isLocked={doing !== null}
              {...(data.mayAdd && entry.added ? { onRemove: () => setDialog({ kind: 'remove', entry }) } : {})}
              onDo={(what) => (what === 'uninstall' ? setDialog({ kind: 'uninstall', entry }) : void run(entry, what))}
            />
          ))}
        </ul>
      )}
      {dialog && (
        <AppDialog
          dialog={dialog}
          labelOf={labelOf}
          onClose={() => setDialog(null)}
          onShow={showOnly}
          onUninstall={(entry) => void run(entry, 'uninstall')}
        />
      )}
    </Page>
  );
}

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'remove' | 'uninstall'; readonly entry: CatalogueEntry };

interface AppDialogProps {
  readonly dialog: OpenDialog;
  readonly labelOf: (module: string) => string;
  readonly onClose: () => void;
  /** Shows the apps that match the text; all of them if it is empty. */
  readonly onShow: (text: string) => void;
  readonly onUninstall: (entry: CatalogueEntry) => void;
}

function AppDialog({ dialog, labelOf, onClose, onShow, onUninstall }: AppDialogProps) {
  const closeAndShow = (text: string) => {
    onClose();
    onShow(text);
  };
  if (dialog.kind === 'add') return <AddAppDialog onClose={onClose} onAdded={({ name }) => closeAndShow(name)} />;
  const { kind, entry } = dialog;
  if (kind === 'remove') return <RemoveAppDialog {...{ entry, onClose }} onRemoved={() => closeAndShow('')} />;
  const confirm = () => {
    onClose();
    onUninstall(entry);
  };
  return <UninstallDialog {...{ entry, labelOf, onClose }} onConfirm={confirm} />;
}

/** Installs, updates or removes one module at a time. */
function useModuleChange(reload: () => void) {
  const [doing, setDoing] = useState<RunningChange | null>(null);
  async function run(entry: CatalogueEntry, what: ModuleDo): Promise<void> {
    setDoing({ module: entry.module, what });
    try {
      await changeModule(entry.module, what);
      const href = await openHref(entry.module);
      const title = doneTitle(what, entry.label);
      announce(title);
      const open = { label: t('Open'), run: () => void navigate(href) };
      showToast({ kind: 'success', title, ...(href && what !== 'deactivate' ? { action: open } : {}) });
      reload();
    } catch (error) {
      showError(error);
    } finally {
      setDoing(null);
    }
  }
  return { doing, run };
}

interface FiltersProps {
  readonly data: AppsScreenData;
  readonly shown: Shown;
  readonly onChange: (part: Partial<Shown>) => void;
}

function Filters({ data, shown, onChange }: FiltersProps) {
  return (
    <>
      <input
        type="search"
        className="input"
        placeholder={t('Search apps')}
        aria-label={t('Search apps')}
        value={shown.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <select
        className="input"
        aria-label={t('State')}
        value={shown.state}
        onChange={(event) => onChange({ state: event.target.value })}
      >
        <option value="">{t('All states')}</option>
        <option value="installed">{t('Installed')}</option>
        <option value="uninstalled">{t('Not installed')}</option>
        <option value="inactive">{t('Inactive')}</option>
      </select>
      <select
        className="input"
        aria-label={t('Category')}
        value={shown.category}
        onChange={(event) => onChange({ category: event.target.value })}
      >
        <option value="">{t('All categories')}</option>
        {data.categories.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label className="row target">
        <input
          type="checkbox"
          className="box"
          checked={shown.withParts}
          onChange={(event) => onChange({ withParts: event.target.checked })}
        />
        {t('Show components')}
      </label>
    </>
  );
}

/** The current URL of the app; empty if it has none (any more). */
async function openHref(module: string): Promise<string> {
  const apps = await refreshMenus();
  return apps.find((app) => app.module === module)?.href ?? '';
}

function doneTitle(what: ModuleDo, name: string): string {
  const titles: Readonly<Record<ModuleDo, string>> = {
    install: t('{name} is installed', { name }),
    uninstall: t('{name} is uninstalled', { name }),
    activate: t('{name} is active', { name }),
    deactivate: t('{name} is inactive', { name }),
    upgrade: t('{name} is upgraded', { name }),
  };
  return titles[what];
}

interface UninstallDialogProps {
  readonly entry: CatalogueEntry;
  readonly labelOf: (module: string) => string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Says what is deleted and what is kept before anything happens. */
function UninstallDialog({ entry, labelOf, onClose, onConfirm }: UninstallDialogProps) {
  const [preview, setPreview] = useState<UninstallPreview | null>(null);
  useEffect(() => {
    previewUninstall(entry.module).then(setPreview, (error: unknown) => {
      showError(error);
      onClose();
    });
  }, [entry.module, onClose]);
  return (
    <Dialog
      title={t('Uninstall {name}?', { name: entry.label })}
      onClose={onClose}
      width={460}
      footer={
        <>
          <Button onClick={onClose}>{t('Keep it')}</Button>
          <Button kind="danger" disabled={!preview} onClick={onConfirm}>
            {preview && preview.dependents.length > 0
              ? tn('Uninstall {n} app', 'Uninstall {n} apps', preview.dependents.length + 1)
              : t('Uninstall')}
          </Button>
        </>
      }
    >
      {preview ? <UninstallEffects {...{ preview, labelOf }} /> : <Skeleton width="70%" />}
    </Dialog>
  );
}

interface UninstallEffectsProps {
  readonly preview: UninstallPreview;
  readonly labelOf: (module: string) => string;
}

function UninstallEffects({ preview, labelOf }: UninstallEffectsProps) {
  const settings = preview.records.reduce((sum, { count }) => sum + count, 0);
  const rows = preview.things.reduce((sum, { count }) => sum + count, 0);
  const { dependents } = preview;
  return (
    <div className="stack gap-3">
      {dependents.length > 0 && (
        <p>
          {t('These depend on it and are uninstalled too: {names}.', { names: dependents.map(labelOf).join(', ') })}
        </p>
      )}
      <p>
        {tn(
          '{n} record of the app is deleted: menus, views, access rights.',
          '{n} records of the app are deleted: menus, views, access rights.',
          settings,
        )}
      </p>
      <p>
        {tn(
          '{n} record of yours is set aside and restored when you reinstall the app.',
          '{n} records of yours are set aside and restored when you reinstall the app.',
          rows,
        )}
      </p>
      {preview.things.length > 0 && (
        <ul className="stack gap-1">
          {preview.things.map(({ model, label, count }) => (
            <li key={model}>
              {label} <span className="mut">{formatInteger(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
