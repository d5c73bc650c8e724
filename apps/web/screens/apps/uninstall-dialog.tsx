import type { CatalogueEntry, UninstallPreview } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import { previewUninstall } from './change-module.ts';

interface UninstallDialogProps {
  readonly entry: CatalogueEntry;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Says what goes and what is kept before anything happens. */
export function UninstallDialog({ entry, onClose, onConfirm }: UninstallDialogProps) {
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
            {t('Uninstall')}
          </Button>
        </>
      }
    >
      {preview ? <WhatGoes preview={preview} /> : <Skeleton width="70%" />}
    </Dialog>
  );
}

function WhatGoes({ preview }: { readonly preview: UninstallPreview }) {
  const settings = preview.records.reduce((sum, { count }) => sum + count, 0);
  const rows = preview.tables.reduce((sum, each) => sum + each.rows, 0);
  return (
    <div className="apps-goes">
      <p>
        {tn(
          '{n} record of its own goes: menus, views, rights.',
          '{n} records of its own go: menus, views, rights.',
          settings,
        )}
      </p>
      <p>
        {tn(
          '{n} record of yours is put aside and comes back with a reinstall.',
          '{n} records of yours are put aside and come back with a reinstall.',
          rows,
        )}
      </p>
      {preview.tables.length > 0 && (
        <ul>
          {preview.tables.map(({ table, rows: count }) => (
            <li key={table}>
              <code>{table}</code> <span className="mut">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
