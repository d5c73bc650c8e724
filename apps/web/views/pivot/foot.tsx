import { formatShare, t } from '../../door/index.ts';
import { shareAt } from './figure-text.ts';
import type { GridProps, Target } from './grid-props.ts';

/** The focused figure as a share of its row, its column and the grand total. */
export function PivotFoot({ shown, place }: GridProps & { readonly place: Target }) {
  const { row, column, measure, kind, label } = place;
  const figure = { table: shown.table, row, column };
  const has = kind === 'figure' && shown.table.figure(row, column) !== undefined;
  const shares = has
    ? ([
        [t('Row'), shareAt(figure, measure, 'row')],
        [t('Column'), shareAt(figure, measure, 'column')],
        [t('All'), shareAt(figure, measure, 'all')],
      ] as const)
    : [];
  return (
    <div className="row wrap rigid small mut gap-5 rows-1 pad-x-4 topped screen-only pivot-foot">
      <span>
        {t('Selected')} <b className="ink">{label}</b>
      </span>
      {shares.map(
        ([name, share]) =>
          share !== null && (
            <span key={name}>
              {name} <b className="ink">{formatShare(share)}</b>
            </span>
          ),
      )}
      <span className="push wide-only">
        {t('Arrow keys to move · Enter to open · Space to expand · Shift+F10 for the menu')}
      </span>
    </div>
  );
}
