import { type AddedModelData, type CustomiseData, fieldType } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Select } from './controls.tsx';

interface ModelViewsProps {
  readonly data: CustomiseData;
  readonly added: AddedModelData;
  readonly isBusy: boolean;
  readonly onChange: (spec: { readonly board?: string | null; readonly calendar?: string | null }) => void;
}

/** The board and the calendar of an added model: by one of its choices or links, and by one of its dates. */
export function ModelViews({ data, added, isBusy, onChange }: ModelViewsProps) {
  const fields = Object.entries(data.fields).map(([name, { type, label }]) => ({ name, label, kind: fieldType(type) }));
  const columns = fields.filter(({ kind }) => kind.isChoice || kind.isToOne);
  const days = fields.filter(({ kind }) => kind.isDate);
  if (columns.length + days.length === 0) return null;
  const options = (all: typeof fields) =>
    [['', t('None')], ...all.map(({ name, label }) => [name, label] as const)] as const;
  return (
    <fieldset className="stack gap-3 above-4" disabled={isBusy}>
      <legend className="pad-b-1">{t('Screens')}</legend>
      {columns.length > 0 && (
        <Select
          label={t('Board by')}
          value={added.board ?? ''}
          options={options(columns)}
          onChange={(board) => onChange({ board: board || null })}
        />
      )}
      {days.length > 0 && (
        <Select
          label={t('Calendar by')}
          value={added.calendar ?? ''}
          options={options(days)}
          onChange={(calendar) => onChange({ calendar: calendar || null })}
        />
      )}
    </fieldset>
  );
}
