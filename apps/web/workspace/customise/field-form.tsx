import { type CustomiseData, fieldType } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { LabelledInput } from '../../ui/labelled.tsx';
import { Select, Tick } from './controls.tsx';
import { isCalculated, looks, type NewChoice, type NewField, typeLabels, type Words } from './new-field.ts';
import { LinkFilter, ValueSource } from './value-source.tsx';

export interface FieldFormProps {
  readonly data: CustomiseData;
  readonly given: NewField;
  /** The language of labels without a translation. */
  readonly source: CustomiseData['languages'][number] | undefined;
  readonly places: readonly (readonly [name: string, label: string])[];
  readonly onChange: (next: Partial<NewField>) => void;
}

/** All that a new field can have; what its type does not have is not shown. */
export function FieldForm({ data, given, source, places, onChange }: FieldFormProps) {
  const type = fieldType(given.type);
  const others = data.languages.filter(({ code }) => code !== source?.code);
  return (
    <>
      <LabelledInput
        label={t('Label')}
        hint={others.length > 0 && source ? source.label : undefined}
        required
        maxLength={data.limits.label}
        value={given.label}
        onChange={(event) => onChange({ label: event.target.value })}
      />
      <Select
        label={t('Type')}
        value={given.type}
        options={typeLabels.map(([name, label]) => [name, t(label)])}
        onChange={(name) => onChange({ type: name, default: '', source: 'typed' })}
      />
      {type.isChoice && <Choices {...{ data, given, onChange }} />}
      {others.length > 0 && <AllTranslations {...{ data, given, others, onChange }} />}
      {type.isRelation && (
        <Select
          label={t('Links to')}
          value={given.relation}
          options={[['', ''], ...data.models.map(({ name, label }) => [name, label] as const)]}
          required
          onChange={(relation) => onChange({ relation, domain: [] })}
        />
      )}
      {type.isRelation && given.relation !== '' && <LinkFilter {...{ given, onChange }} />}
      {type.isMoney && (
        <Select
          label={t('Currency from')}
          value={given.currency}
          options={[['', ''], ...data.currencies.map(({ name, label }) => [name, label] as const)]}
          required
          onChange={(currency) => onChange({ currency })}
        />
      )}
      <LabelledInput
        label={t('Help')}
        hint={t('Shown beside the label.')}
        maxLength={data.limits.help}
        value={given.help}
        onChange={(event) => onChange({ help: event.target.value })}
      />
      <Behaviour {...{ data, given, places, onChange }} />
      <Groups {...{ data, given, onChange }} />
    </>
  );
}

/** Default, place and marks. */
function Behaviour({ data, given, places, onChange }: Omit<FieldFormProps, 'source'>) {
  const type = fieldType(given.type);
  return (
    <>
      <ValueSource {...{ data, given, onChange }} />
      {given.source === 'typed' && <DefaultInput {...{ data, given, onChange }} />}
      {!type.isBoolean && !isCalculated(given) && (
        <Tick
          label={t('Required')}
          hint={t('Existing records get the default.')}
          isOn={given.isRequired}
          onChange={(isRequired) => onChange({ isRequired })}
        />
      )}
      <Select
        label={t('Place it after')}
        value={given.after}
        options={[['', t('The first group')], ...places]}
        onChange={(after) => onChange({ after })}
      />
      {!type.isOpaque && (
        <Tick
          label={t('Column in lists')}
          hint={t('Everybody can show it there.')}
          isOn={given.inList}
          onChange={(inList) => onChange({ inList })}
        />
      )}
      {data.added?.chatter && !type.isOpaque && (
        <Tick
          label={t('Show changes in the discussion')}
          isOn={given.isTracked}
          onChange={(isTracked) => onChange({ isTracked })}
        />
      )}
      <Tick
        label={t('Personal data')}
        hint={t('Exported and erased with the other data of a person.')}
        isOn={given.isPersonal}
        onChange={(isPersonal) => onChange({ isPersonal })}
      />
    </>
  );
}

interface TranslationsProps {
  readonly languages: CustomiseData['languages'];
  readonly words: Words;
  /** The text that people see without a translation. */
  readonly shown: string;
  readonly max: number;
  readonly onChange: (words: Words) => void;
}

export function Translations({ languages, words, shown, max, onChange }: TranslationsProps) {
  return languages.map(({ code, label }) => (
    <LabelledInput
      key={code}
      label={t('Label in {language}', { language: label })}
      placeholder={shown}
      maxLength={max}
      value={words[code] ?? ''}
      onChange={(event) => onChange({ ...words, [code]: event.target.value })}
    />
  ));
}

type PartProps = Pick<FieldFormProps, 'data' | 'given' | 'onChange'>;

function Choices({ data, given, onChange }: PartProps) {
  const { choices } = given;
  const set = (key: number, next: Partial<NewChoice>) =>
    onChange({ choices: choices.map((choice) => (choice.key === key ? { ...choice, ...next } : choice)) });
  const add = () => {
    const key = Math.max(0, ...choices.map((choice) => choice.key)) + 1;
    onChange({ choices: [...choices, { key, label: '', look: 'mute', words: {} }] });
  };
  return (
    <fieldset className="stack gap-2">
      <legend className="pad-b-1">{t('Choices')}</legend>
      {choices.map(({ key, label, look }, at) => (
        <div key={key} className="line gap-2">
          <input
            className="input share"
            aria-label={t('Choice {n}', { n: at + 1 })}
            required
            maxLength={data.limits.label}
            value={label}
            onChange={(event) => set(key, { label: event.target.value })}
          />
          <select
            className="input customise-look"
            aria-label={t('Colour of choice {n}', { n: at + 1 })}
            value={look}
            onChange={(event) => set(key, { look: event.target.value })}
          >
            {looks.map(([name, text]) => (
              <option key={name} value={name}>
                {t(text)}
              </option>
            ))}
          </select>
          <IconButton
            icon="x"
            label={t('Remove choice {n}', { n: at + 1 })}
            disabled={choices.length === 1}
            onClick={() => onChange({ choices: choices.filter((choice) => choice.key !== key) })}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={add} disabled={choices.length >= data.limits.choices}>
          {t('Add a choice')}
        </Button>
      </div>
    </fieldset>
  );
}

/** The texts of the field in the other languages, folded: a translation can also be added later. */
function AllTranslations({
  data,
  given,
  others,
  onChange,
}: PartProps & { readonly others: CustomiseData['languages'] }) {
  const { words, choices, label, type } = given;
  const setChoice = (key: number, next: Words) =>
    onChange({ choices: choices.map((choice) => (choice.key === key ? { ...choice, words: next } : choice)) });
  const named = fieldType(type).isChoice ? choices.filter((choice) => choice.label.trim() !== '') : [];
  return (
    <details className="">
      <summary className="target pointer">{t('Translations')}</summary>
      <div className="stack gap-3">
        <Translations
          languages={others}
          words={words}
          shown={label}
          max={data.limits.label}
          onChange={(next) => onChange({ words: next })}
        />
        {named.map((choice) =>
          others.map(({ code, label: language }) => (
            <LabelledInput
              key={`${choice.key} ${code}`}
              label={t('{choice} in {language}', { choice: choice.label, language })}
              placeholder={choice.label}
              maxLength={data.limits.label}
              value={choice.words[code] ?? ''}
              onChange={(event) => setChoice(choice.key, { ...choice.words, [code]: event.target.value })}
            />
          )),
        )}
      </div>
    </details>
  );
}

function DefaultInput({ data, given, onChange }: PartProps) {
  const type = fieldType(given.type);
  const set = (value: string) => onChange({ default: value });
  if (type.isRelation || type.isOpaque) return null;
  const options = optionsOf(given);
  if (options) return <Select label={t('Default')} value={given.default} options={options} onChange={set} />;
  return (
    <LabelledInput
      label={t('Default')}
      maxLength={data.limits.default}
      inputMode={type.isNumber ? 'decimal' : 'text'}
      value={given.default}
      onChange={(event) => set(event.target.value)}
    />
  );
}

/** The defaults that can be chosen; null: any value can be typed. */
function optionsOf({ type: name, choices }: NewField): readonly (readonly [string, string])[] | null {
  const type = fieldType(name);
  const none = ['', t('None')] as const;
  if (type.isBoolean)
    return [
      ['', t('No')],
      ['true', t('Yes')],
    ];
  if (type.isChoice) return [none, ...choices.map(({ label }, at) => [String(at + 1), label] as const)];
  if (type.isInstant) return [none, ['now', t('Time of creation')]];
  return type.isDate ? [none, ['today', t('Day of creation')]] : null;
}

function Groups({ data, given, onChange }: PartProps) {
  const toggle = (key: string, isOn: boolean) =>
    onChange({ groups: isOn ? [...given.groups, key] : given.groups.filter((group) => group !== key) });
  return (
    <fieldset className="stack gap-1">
      <legend className="pad-b-1">{t('Who can see it')}</legend>
      <p className="small mut">{t('Everybody who sees the record, unless you choose groups.')}</p>
      <div className="stack gap-1 framed round-m scroll pad-2 customise-groups">
        {data.groups.map(({ key, label }) => (
          <Tick key={key} label={label} isOn={given.groups.includes(key)} onChange={(isOn) => toggle(key, isOn)} />
        ))}
      </div>
    </fieldset>
  );
}
