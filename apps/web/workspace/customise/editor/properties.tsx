import type { ArchField, CustomiseData, Domain } from '@kontor/protocol';
import { useState } from 'react';
import { DomainDialog } from '../../../fields/domain/domain-editor.tsx';
import { mark, t } from '../../../i18n/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { LabelledInput } from '../../../ui/labelled.tsx';
import { Select } from '../controls.tsx';
import { Translations } from '../field-form.tsx';
import { attributeStep, canMove, type OutlineRow, type Step, settings } from './places.ts';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface PropertiesProps {
  readonly row: OutlineRow;
  readonly label: string;
  readonly fields: readonly ArchField[];
  readonly languages: CustomiseData['languages'];
  readonly words: Words;
  readonly onStep: (step: Step, words?: Words) => void;
  /** Up is -1, down 1. */
  readonly onMove: (by: -1 | 1) => void;
}

/** What can be set of the selected element. */
export function Properties({ row, label, fields, languages, words, onStep, onMove }: PropertiesProps) {
  const { node } = row;
  const can = settings(row);
  const set = (attributes: Readonly<Record<string, string>>) => onStep(attributeStep(node, attributes));
  return (
    <div className="stack gap-3 pad-3">
      <Head {...{ row, label, can, set, onMove }} />
      {can.has('label') && <LabelForm key={`${node.xpath} label`} {...{ row, label, languages, words, onStep }} />}
      {['help', 'placeholder'].map(
        (name) =>
          can.has(name) && (
            <TextSetting
              key={`${node.xpath} ${name}`}
              label={name === 'help' ? t('Help') : t('Placeholder')}
              value={node.attributes[name] ?? ''}
              onChange={(value) => set({ [name]: value })}
            />
          ),
      )}
      <Choices {...{ row, fields, can, set }} />
    </div>
  );
}

interface PartProps {
  readonly row: OutlineRow;
  /** The attributes that can be set. */
  readonly can: ReadonlySet<string>;
  readonly set: (attributes: Readonly<Record<string, string>>) => void;
}

function Head({ row, label, can, set, onMove }: PartProps & Pick<PropertiesProps, 'label' | 'onMove'>) {
  const { node } = row;
  const isHidden = node.attributes.invisible === 'true';
  return (
    <div className="row gap-2">
      <div className="stack gap-half shrink">
        <h3 className="cut">{label}</h3>
        {node.name && <code className="small mut">{node.name}</code>}
      </div>
      <span className="row gap-1 push">
        {canMove(row) && (
          <>
            <IconButton icon="arrow-up" label={t('Move up')} onClick={() => onMove(-1)} />
            <IconButton icon="arrow-down" label={t('Move down')} onClick={() => onMove(1)} />
          </>
        )}
        {can.has('invisible') && (
          <IconButton
            icon={isHidden ? 'eye' : 'eye-off'}
            label={isHidden ? t('Show') : t('Hide')}
            onClick={() => set({ invisible: isHidden ? '' : 'true' })}
          />
        )}
      </span>
    </div>
  );
}

const conditions = [
  ['invisible', mark('Hidden')],
  ['readonly', mark('Read-only')],
  ['required', mark('Required')],
] as const;

/** Columns, and what holds always, never or under conditions. */
function Choices({ row: { node }, fields, can, set }: PartProps & Pick<PropertiesProps, 'fields'>) {
  return (
    <>
      {can.has('columns') && (
        <Select
          label={t('Columns')}
          value={node.attributes.columns ?? ''}
          options={[['', t('As usual')], ...['1', '2', '3', '4'].map((each) => [each, each] as const)]}
          onChange={(columns) => set({ columns })}
        />
      )}
      {can.has('optional') && (
        <Select
          label={t('Column')}
          value={node.attributes.optional ?? ''}
          options={[
            ['', t('Always shown')],
            ['show', t('Shown, people can hide it')],
            ['hide', t('Hidden, people can show it')],
          ]}
          onChange={(optional) => set({ optional })}
        />
      )}
      {conditions.map(
        ([name, text]) =>
          can.has(name) && (
            <ConditionSetting
              key={name}
              {...{ fields }}
              label={t(text)}
              value={node.attributes[name]}
              onChange={(value) => set({ [name]: value })}
            />
          ),
      )}
    </>
  );
}

type LabelProps = Pick<PropertiesProps, 'row' | 'label' | 'languages' | 'words' | 'onStep'>;

/** The label with its translations; both are one step. */
function LabelForm({ row: { node }, label, languages, words, onStep }: LabelProps) {
  const written = node.attributes.label ?? '';
  const known = Object.fromEntries(languages.map(({ code }) => [code, words[code]?.[written] ?? '']));
  const [given, setGiven] = useState(written);
  const [said, setSaid] = useState<Readonly<Record<string, string>>>(known);
  const isSame = given.trim() === written && JSON.stringify(said) === JSON.stringify(known);
  const apply = () => {
    const text = given.trim();
    const translated = Object.entries(said).filter(([, each]) => text !== '' && each.trim() !== '');
    onStep(
      attributeStep(node, { label: text }),
      Object.fromEntries(translated.map(([lang, each]) => [lang, { [text]: each.trim() }])),
    );
  };
  return (
    <form
      className="stack gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) apply();
      }}
    >
      <LabelledInput
        label={t('Label')}
        placeholder={label}
        maxLength={100}
        required={node.tag === 'page'}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
      />
      {languages.length > 0 && (
        <details className="">
          <summary>{t('Translations')}</summary>
          <div className="stack gap-2">
            <Translations languages={languages} words={said} shown={given || label} max={100} onChange={setSaid} />
          </div>
        </details>
      )}
      <div>
        <Button type="submit" disabled={isSame}>
          {t('Rename')}
        </Button>
      </div>
    </form>
  );
}

interface SettingProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Applied when the person leaves it. */
function TextSetting({ label, value = '', onChange }: SettingProps) {
  const [given, setGiven] = useState(value);
  return (
    <LabelledInput
      label={label}
      maxLength={1000}
      value={given}
      onChange={(event) => setGiven(event.target.value)}
      onBlur={() => given !== value && onChange(given)}
    />
  );
}

/** Never, always, or while conditions hold. */
function ConditionSetting({
  label,
  value = '',
  fields,
  onChange,
}: SettingProps & { readonly fields: readonly ArchField[] }) {
  const [isOpen, setOpen] = useState(false);
  const isDomain = value.startsWith('[');
  const now = isDomain ? 'when' : value === 'true' || value === '1' ? 'true' : '';
  const choose = (next: string) => (next === 'when' ? setOpen(true) : onChange(next));
  return (
    <>
      <Select
        label={label}
        value={now}
        options={[
          ['', t('Never')],
          ['true', t('Always')],
          ['when', t('When …')],
        ]}
        onChange={choose}
      />
      {isDomain && (
        <div>
          <Button onClick={() => setOpen(true)}>{t('Change the conditions')}</Button>
        </div>
      )}
      {isOpen && (
        <DomainDialog
          domain={isDomain ? (JSON.parse(value) as Domain) : []}
          fields={fields}
          answer={t('Apply')}
          onClose={() => setOpen(false)}
          onApply={(domain) => {
            setOpen(false);
            onChange(domain.length > 0 ? JSON.stringify(domain) : '');
          }}
        />
      )}
    </>
  );
}
