import { useState } from 'react';
import { showError } from '../data/changes.ts';
import { t } from '../i18n/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { withSaved } from './effective-search.ts';
import type { FilterPanelProps } from './panel-choice.tsx';
import { SaveForm } from './save-form.tsx';
import { deleteSearch } from './save-search.ts';
import { searchQuery } from './search-state.ts';

/** Searches with a name: one's own and those that others share. */
export function SavedSection({ workspace, search, onChange, onClose }: FilterPanelProps) {
  const [isSaving, setSaving] = useState(false);
  const { saved } = workspace.arch.search;
  const now = searchQuery(search);
  return (
    <section aria-label={t('Saved searches of this screen')}>
      <h2>{t('Saved searches')}</h2>
      {saved.map((one) => {
        const found = withSaved(search, one);
        const isChosen = searchQuery(found) === now;
        return (
          <div key={one.id} className="filters-saved">
            <button
              type="button"
              className="menu-item"
              aria-pressed={isChosen}
              onClick={() => {
                onClose();
                onChange(found);
              }}
            >
              <Icon name="check" size={14} className={isChosen ? '' : 'is-hidden'} />
              {one.name}
              <span className="menu-item-end">{savedHint(one)}</span>
            </button>
            {one.isMine && (
              <IconButton
                icon="trash-2"
                size={14}
                label={t('Delete the search {name}', { name: one.name })}
                onClick={() => deleteSearch(workspace, one).catch(showError)}
              />
            )}
          </div>
        );
      })}
      {saved.length > 0 && <div className="menu-line" />}
      {isSaving ? (
        <SaveForm workspace={workspace} search={search} onDone={() => setSaving(false)} />
      ) : (
        <button type="button" className="menu-item" onClick={() => setSaving(true)}>
          <Icon name="star" size={14} />
          {t('Save this search …')}
        </button>
      )}
    </section>
  );
}

function savedHint({ isDefault, isShared }: { readonly isDefault: boolean; readonly isShared: boolean }): string {
  if (isDefault) return t('default');
  return isShared ? t('shared') : '';
}
