import type { ArchField, ImportTarget } from '@kontor/protocol';
import { useId, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Icon } from '../../ui/icon.tsx';
import { Combobox } from '../relation/combobox.tsx';
import { type Batch, samplesOf } from './batch.ts';
import type { ImportState } from './use-import.ts';

/** Each column of the file, sample values, and the field it is mapped to. */
export function MappingTable({ batch, verdict, map, addField }: ImportState) {
  const id = useId();
  const bad = new Set(verdict?.errors.map(({ column }) => column));
  return (
    <table className="fixed separate full start panel import-map">
      <caption className="sr-only">{t('Columns and their fields')}</caption>
      <thead>
        <tr>
          <th className="small semi mut nowrap sunken lined" scope="col">
            {t('Column')}
          </th>
          <th className="small semi mut nowrap sunken lined" scope="col">
            {t('In the file')}
          </th>
          <th className="small semi mut nowrap sunken lined" scope="col">
            {t('Maps to')}
          </th>
        </tr>
      </thead>
      <tbody>
        {batch.headers.map((header, index) => {
          const isMapped = batch.mapping[header] !== undefined;
          return (
            <tr key={header} className={isMapped ? '' : 'import-unmapped'}>
              <th className="break" scope="row">
                <bdi>{header}</bdi>
              </th>
              <td className="import-samples">
                {samplesOf(batch, index).map((sample) => (
                  <bdi className="block cut small mut" key={sample}>
                    {sample}
                  </bdi>
                ))}
              </td>
              <td>
                <span className="row">
                  <Icon name="arrow-right" className="dim" />
                  <FieldChoice
                    id={`${id}-${index}`}
                    {...{ header, batch }}
                    isInvalid={bad.has(header)}
                    onChoose={(field) => map(header, field)}
                    onAdd={hasFeature('customise') ? () => void addField(header) : undefined}
                  />
                </span>
                <GuessNote {...{ header, batch }} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** How sure the proposed field is. What a person chose needs no note. */
function GuessNote({ header, batch }: { readonly header: string; readonly batch: Batch }) {
  const guess = batch.guesses[header];
  if (!guess || batch.mapping[header] !== guess.field) return null;
  const notes = {
    same: t('Same name'),
    known: t('Another name for this field'),
    similar: t('Similar name: please check'),
  };
  return (
    <span className={`import-guess small ${guess.by === 'similar' ? 'warn' : 'mut'}`}>
      {guess.by === 'similar' && <Icon name="info" size={14} />}
      {notes[guess.by]}
    </span>
  );
}

interface FieldChoiceProps {
  readonly id: string;
  readonly header: string;
  readonly batch: Batch;
  readonly isInvalid: boolean;
  readonly onChoose: (field: string) => void;
  /** Adds a field to the model for this column. */
  readonly onAdd?: (() => void) | undefined;
}

const plain: ArchField = { name: 'field', type: 'char', label: '', required: false, readonly: false } as ArchField;

/** Chooses the field of a column, by typing part of its label or name. */
export function FieldChoice({ id, header, batch, isInvalid, onChoose, onAdd }: FieldChoiceProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = batch.targets.find(({ name }) => name === batch.mapping[header]);
  const choices = typed === null ? [] : found(batch, typed);
  const shown = choices.map((target) => ({
    key: target.name,
    label: `${target.label}${target.required ? ' *' : ''}`,
    isDim: isTaken(batch, header, target),
    run: () => onChoose(target.name),
  }));
  const none = { key: 'none-of-them', label: t('Do not import'), isDim: true, run: () => onChoose('') };
  const added = onAdd ? [{ key: 'new-field', label: t('Add a field …'), isDim: true, run: onAdd }] : [];
  return (
    <Combobox
      {...{ id, isInvalid, typed, onTyped: setTyped, field: plain, record: { id: 0 }, value: null, model: batch.model }}
      label={t('Field for {column}', { column: header })}
      node={{ name: 'field', placeholder: t('Left out') }}
      place="form"
      isRequired={false}
      className="import-choice"
      text={chosen?.label ?? ''}
      choices={typed === '' || typed === null ? [none, ...added, ...shown] : [...shown, ...added]}
      isCurrent
      onChange={() => {}}
      onBack={() => onChoose('')}
    />
  );
}

function found({ targets }: Batch, typed: string): readonly ImportTarget[] {
  const wanted = typed.trim().toLowerCase();
  const rank = ({ label, name, words = [] }: ImportTarget) => {
    if (label.toLowerCase().startsWith(wanted)) return 0;
    const known = `${label} ${name} ${name.replaceAll('_', ' ')}`.toLowerCase();
    if (known.includes(wanted)) return 1;
    return words.some((word) => word.toLowerCase().includes(wanted)) ? 2 : 3;
  };
  return targets
    .map((target) => ({ target, at: rank(target) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ target }) => target);
}

function isTaken({ mapping }: Batch, header: string, { name }: ImportTarget): boolean {
  return Object.entries(mapping).some(([other, field]) => field === name && other !== header);
}
