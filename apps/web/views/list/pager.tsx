import { t } from '../../i18n/messages.ts';
import { formatInteger } from '../../i18n/numbers.ts';
import { type Store, useStore } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';

interface PagerProps {
  readonly range: Store<{ readonly first: number; readonly last: number }>;
  readonly total: number;
  readonly onPage: (offset: number) => void;
}

/** Which rows are in sight, of how many, and the pages before and after. */
export function Pager({ range, total, onPage }: PagerProps) {
  const { first, last } = useStore(range);
  const size = Math.max(1, last - first);
  if (total === 0) return null;
  return (
    <span className="pager">
      <span>
        {t('{first}–{last} of {total}', {
          first: formatInteger(first + 1),
          last: formatInteger(Math.min(last + 1, total)),
          total: formatInteger(total),
        })}
      </span>
      {size + 1 < total && (
        <>
          <IconButton
            icon="chevron-left"
            label={t('Page before')}
            disabled={first === 0}
            onClick={() => onPage(Math.max(0, first - size))}
          />
          <IconButton
            icon="chevron-right"
            label={t('Page after')}
            disabled={last + 1 >= total}
            onClick={() => onPage(Math.min(total - 1, first + size))}
          />
        </>
      )}
    </span>
  );
}
