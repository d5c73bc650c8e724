import type { WorkspacePayload } from '@kontor/protocol';
import { useState } from 'react';
import { t } from '../i18n/messages.ts';
import { useGo } from '../navigation/router.ts';
import { effectiveFilters } from '../search/effective-search.ts';
import { refine, type SearchState, toHref } from '../search/search-state.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/parts.tsx';
import { canImport, ImportDialog } from './importing.ts';
import { newName } from './open-new.ts';
import { openRecord } from './open-record.ts';

/** Shown when there are no records: because of the search, or because there are none yet. Offers the next step. */
export function EmptyView({
  workspace,
  search,
}: {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
}) {
  const { arch } = workspace;
  const go = useGo();
  const [isImporting, setImporting] = useState(false);
  const isSearched = search.text !== '' || search.domain.length > 0 || effectiveFilters(workspace, search).length > 0;
  if (isSearched) {
    const clear = () => void go(toHref(refine(search, { text: '', domain: [], filters: [] })), { keepTrail: true });
    return (
      <EmptyState
        icon="search"
        title={t('Nothing matches')}
        next={
          <Button icon="x" onClick={clear}>
            {t('Clear search')}
          </Button>
        }
      >
        <p>{t('No records in {title} match your search.', { title: arch.title })}</p>
      </EmptyState>
    );
  }
  const create = arch.rights.create && (
    <>
      <Button kind="primary" icon="plus" onClick={() => openRecord(search, workspace, 0, go)}>
        {newName(arch)}
      </Button>
      {canImport(workspace) && (
        <Button icon="upload" onClick={() => setImporting(true)}>
          {t('Import …')}
        </Button>
      )}
      {isImporting && <ImportDialog workspace={workspace} names={[]} onClose={() => setImporting(false)} />}
    </>
  );
  return (
    <EmptyState icon="inbox" title={t('Nothing here yet')} next={create}>
      {arch.help ? (
        // The server sanitises the help text of an action.
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server.
        <div dangerouslySetInnerHTML={{ __html: arch.help }} />
      ) : (
        <p>{t('Records that you create appear here.')}</p>
      )}
    </EmptyState>
  );
}
