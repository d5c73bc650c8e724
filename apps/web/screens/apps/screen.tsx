import { useState } from 'react';
import { showError } from '../../data/changes.ts';
import { announce, showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { EmptyState } from '../../ui/parts.tsx';
import type { ScreenProps } from '../define-screen.ts';
import '../home/styles.css';
import { AppCard } from './app-card.tsx';
import { type AppsData, type CatalogueEntry, findEntries } from './catalogue.ts';
import { changeModule, type ModuleDo } from './change-module.ts';
import './styles.css';
import { UninstallDialog } from './uninstall-dialog.tsx';

const done: Readonly<Record<ModuleDo, string>> = {
  install: '{name} is installed',
  uninstall: '{name} is uninstalled',
  activate: '{name} is active',
  deactivate: '{name} is inactive',
  upgrade: '{name} is upgraded',
};

/** The catalogue: what there is, what is installed, and what installing or taking away means. */
export function AppsScreen({ data, reload }: ScreenProps<AppsData>) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState('');
  const [withParts, setWithParts] = useState(false);
  const [doing, setDoing] = useState<{ module: string; what: ModuleDo } | null>(null);
  const [leaving, setLeaving] = useState<CatalogueEntry | null>(null);
  const labelOf = (module: string) => data.modules.find((entry) => entry.module === module)?.label ?? module;
  const shown = findEntries(data.modules, text, category, withParts);

  async function run(entry: CatalogueEntry, what: ModuleDo): Promise<void> {
    setLeaving(null);
    setDoing({ module: entry.module, what });
    try {
      await changeModule(entry.module, what);
      const title = t(done[what], { name: entry.label });
      announce(title);
      const open = { label: t('Reload'), run: () => location.assign('/web/home') };
      showToast({
        kind: 'success',
        title,
        ...(what === 'upgrade' ? {} : { action: open, body: t('Menus show it after a reload.') }),
      });
      reload();
    } catch (error) {
      showError(error);
    } finally {
      setDoing(null);
    }
  }

  return (
    <div className="apps">
      <header className="apps-head">
        <h1>{t('Apps')}</h1>
        <input
          type="search"
          className="apps-search"
          placeholder={t('Search apps')}
          aria-label={t('Search apps')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <select aria-label={t('Category')} value={category} onChange={(event) => setCategory(event.target.value)}>
          <option value="">{t('All categories')}</option>
          {data.categories.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label className="apps-parts">
          <input type="checkbox" checked={withParts} onChange={(event) => setWithParts(event.target.checked)} />
          {t('Show parts too')}
        </label>
      </header>
      {shown.length === 0 ? (
        <EmptyState icon="puzzle" title={t('Nothing found')}>
          <p>{t('Try another word, or show parts too.')}</p>
        </EmptyState>
      ) : (
        <ul className="apps-list">
          {shown.map((entry) => (
            <AppCard
              key={entry.module}
              entry={entry}
              labelOf={labelOf}
              doing={doing?.module === entry.module ? doing.what : null}
              isLocked={doing !== null}
              onDo={(what) => (what === 'uninstall' ? setLeaving(entry) : void run(entry, what))}
            />
          ))}
        </ul>
      )}
      {leaving && (
        <UninstallDialog
          entry={leaving}
          onClose={() => setLeaving(null)}
          onConfirm={() => void run(leaving, 'uninstall')}
        />
      )}
    </div>
  );
}
