import type { CustomiseStatesData } from '@kontor/protocol';
import { t, tn } from '../../../i18n/messages.ts';
import type { Selected } from './picture.tsx';

interface MovesTableProps {
  readonly data: CustomiseStatesData;
  readonly selected: Selected;
  readonly onSelect: (selected: Selected) => void;
}

/** The same as the picture, in rows. */
// Over 60 lines: one table of the states, and one of the moves.
export function MovesTable({ data: { states, moves }, selected, onSelect }: MovesTableProps) {
  const labelOf = (value: string) => states.find((state) => state.value === value)?.label ?? value;
  const isPicked = (kind: 'state' | 'move', name: string) => selected?.kind === kind && selected.name === name;
  return (
    <div className="full scroll states-table stack gap-3">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('State')}</th>
            <th scope="col">{t('Records')}</th>
          </tr>
        </thead>
        <tbody>
          {states.map(({ value, label, count }) => (
            <tr key={value}>
              <td>
                <button
                  type="button"
                  className="pad-0 no-border bare accent start pointer target"
                  aria-pressed={isPicked('state', value)}
                  onClick={() => onSelect({ kind: 'state', name: value })}
                >
                  {label}
                </button>
              </td>
              <td>{count ?? t('Not published yet')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Move')}</th>
            <th scope="col">{t('From')}</th>
            <th scope="col">{t('To')}</th>
            <th scope="col">{t('Conditions')}</th>
          </tr>
        </thead>
        <tbody>
          {moves.map(({ name, label, from, to, needs }) => (
            <tr key={`${name} ${from.join(' ')}`}>
              <td>
                <button
                  type="button"
                  className="pad-0 no-border bare accent start pointer target"
                  aria-pressed={isPicked('move', name)}
                  onClick={() => onSelect({ kind: 'move', name })}
                >
                  {label}
                </button>
              </td>
              <td>{from.map(labelOf).join(', ')}</td>
              <td>{labelOf(to)}</td>
              <td>{needs.length > 0 ? tn('{n} condition', '{n} conditions', needs.length) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
