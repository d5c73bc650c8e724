import { useEffect } from 'react';
import { t } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Icon } from '../../ui/icon.tsx';
import { prefetchRecord, recordHref } from '../open-record.ts';
import { useOpenForm } from './form-context.ts';

/** Where the record stands in the list it came from, and the ones beside it. */
export function FormPager({ search }: { readonly search: SearchState }) {
  const { workspace } = useOpenForm();
  const { pager } = workspace.arch;
  const go = (id: number | null | undefined) => {
    if (id) void navigate(recordHref(search, workspace, id), { isReplace: true, keepTrail: true });
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'PageUp' && event.key !== 'PageDown')) return;
      event.preventDefault();
      go(event.key === 'PageUp' ? pager?.previous : pager?.next);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
  if (!pager || pager.total < 2) return null;
  const look = (id: number | null) => () => id !== null && prefetchRecord(search, workspace, id);
  return (
    <div className="form-pager">
      <span className="dim num form-pager-at">{t('{n} / {total}', { n: pager.position, total: pager.total })}</span>
      <div className="seg" role="group" aria-label={t('Other records')}>
        <button
          type="button"
          aria-label={t('Previous')}
          title={t('Previous')}
          disabled={pager.previous === null}
          onPointerEnter={look(pager.previous)}
          onClick={() => go(pager.previous)}
        >
          <Icon name="chevron-left" />
        </button>
        <button
          type="button"
          aria-label={t('Next')}
          title={t('Next')}
          disabled={pager.next === null}
          onPointerEnter={look(pager.next)}
          onClick={() => go(pager.next)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </div>
  );
}
