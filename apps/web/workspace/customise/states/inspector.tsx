import type { CustomiseData, CustomiseStatesData, CustomMoveData } from '@kontor/protocol';
import { t } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { LabelledInput } from '../../../ui/labelled.tsx';
import { Select, Tick } from '../controls.tsx';
import { Translations } from '../field-form.tsx';
import { looks, sourceOf } from '../new-field.ts';
import { CheckList } from './check-list.tsx';
import { ChipList } from './chip-list.tsx';
import type { Selected } from './picture.tsx';
import { SetList } from './set-list.tsx';
import { isOwnMove, removeState, type StatesEdit, setMove, withOwn } from './states-edit.ts';

interface InspectorProps {
  readonly data: CustomiseStatesData;
  readonly extra: CustomiseData;
  readonly edit: StatesEdit;
  readonly selected: Selected;
  readonly onChange: (edit: StatesEdit) => void;
  readonly onSelect: (selected: Selected) => void;
}

/** What can be set of the selected state or move; without one, the rules of the model. */
export function Inspector(props: InspectorProps) {
  const { data, selected } = props;
  const state = selected?.kind === 'state' ? data.states.find(({ value }) => value === selected.name) : undefined;
  const move = selected?.kind === 'move' ? data.moves.find(({ name }) => name === selected.name) : undefined;
  if (state) return <StateSettings {...props} state={state} />;
  if (move) return <MoveSettings {...props} move={move} />;
  const { edit, onChange } = props;
  return (
    <div className="stack gap-3 pad-3">
      <p className="mut">
        {t('Select a state or a move to change it. Drag a state, or use the arrow keys, to arrange it.')}
      </p>
      <h3>{t('Rules')}</h3>
      <p className="small mut">{t('Every record must satisfy them when it is saved.')}</p>
      <CheckList model={data.model} checks={edit.checks} onChange={(checks) => onChange({ ...edit, checks })} />
    </div>
  );
}

type StateProps = InspectorProps & { readonly state: CustomiseStatesData['states'][number] };

// Over 60 lines: the members of a state, one control each.
function StateSettings({ data, extra, edit, state, onChange, onSelect }: StateProps) {
  const { value } = state;
  const choice = edit.choices.find((each) => each.value === value);
  const setChoice = (next: { readonly label?: string; readonly look?: string }) =>
    onChange({ ...edit, choices: edit.choices.map((each) => (each === choice ? { ...each, ...next } : each)) });
  const toggle = (key: 'initial' | 'removable' | 'abandoned', isOn: boolean, start: readonly string[]) => {
    const list = (edit.own[key] ?? start).filter((each) => each !== value);
    onChange(withOwn(edit, { [key]: isOn ? [...list, value] : list }));
  };
  const lock = edit.own.locks?.find((each) => each.state === value)?.fields ?? [];
  const setLock = (fields: 'all' | readonly string[]) => {
    const others = (edit.own.locks ?? []).filter((each) => each.state !== value);
    onChange(withOwn(edit, { locks: fields.length > 0 ? [...others, { state: value, fields }] : others }));
  };
  const ownStates = data.states.filter(({ isOwn }) => isOwn).map((each) => each.value);
  return (
    <div className="stack gap-3 pad-3">
      <h3>{t('State')}</h3>
      {choice ? (
        <>
          <Label {...{ edit, extra, onChange }} label={choice.label} onLabel={(label) => setChoice({ label })} />
          <Select
            label={t('Colour')}
            value={choice.look ?? 'mute'}
            options={looks.map(([look, label]) => [look, t(label)] as const)}
            onChange={(look) => setChoice({ look })}
          />
          <Tick
            label={t('Records begin here')}
            isOn={state.isInitial}
            onChange={(isOn) => toggle('initial', isOn, [])}
          />
          <Tick
            label={t('Records can be deleted')}
            isOn={edit.own.removable ? edit.own.removable.includes(value) : true}
            onChange={(isOn) => toggle('removable', isOn, ownStates)}
          />
          <Tick
            label={t('Records are abandoned here')}
            hint={t('Such as cancelled or lost.')}
            isOn={edit.own.abandoned?.includes(value) ?? false}
            onChange={(isOn) => toggle('abandoned', isOn, [])}
          />
        </>
      ) : (
        <p>{t('{name} belongs to an app. You can lock more fields in it.', { name: state.label })}</p>
      )}
      <fieldset className="stack gap-2">
        <legend>{t('Locked fields')}</legend>
        {choice && (
          <Tick label={t('All fields')} isOn={lock === 'all'} onChange={(isOn) => setLock(isOn ? 'all' : [])} />
        )}
        {lock !== 'all' && (
          <ChipList
            label={t('Lock a field')}
            options={data.fields
              .filter(({ canSet, name }) => canSet && name !== data.field?.name)
              .map(({ name, label }) => [name, label] as const)}
            values={lock}
            onChange={setLock}
          />
        )}
      </fieldset>
      {choice && (
        <Button
          kind="danger"
          icon="trash-2"
          onClick={() => {
            onChange(removeState(edit, value));
            onSelect(null);
          }}
        >
          {t('Delete the state')}
        </Button>
      )}
    </div>
  );
}

type MoveProps = InspectorProps & { readonly move: CustomiseStatesData['moves'][number] };

// Over 60 lines: the members of a move, one control each.
function MoveSettings({ data, extra, edit, move, onChange, onSelect }: MoveProps) {
  const own = edit.own.moves?.find(({ name }) => name === move.name);
  const set = (next: Partial<CustomMoveData>) => onChange(setMove(edit, move.name, (known) => ({ ...known, ...next })));
  const states = data.states.map(({ value, label }) => [value, label] as const);
  const added = data.states.filter(({ isOwn }) => isOwn).map(({ value, label }) => [value, label] as const);
  const groups = extra.groups.map(({ key, label }) => [key, label] as const);
  const isOwn = own !== undefined && isOwnMove(own);
  const needs = own?.needs ?? [];
  const conditions = edit.own.conditions ?? [];
  return (
    <div className="stack gap-3 pad-3">
      <h3>{t('Move')}</h3>
      {isOwn ? (
        <>
          <Label {...{ edit, extra, onChange }} label={own.label ?? ''} onLabel={(label) => set({ label })} />
          <ChipList label={t('From')} options={states} values={own.from ?? []} onChange={(from) => set({ from })} />
          <Select label={t('To')} value={own.to ?? ''} options={states} onChange={(to) => set({ to })} />
        </>
      ) : (
        <>
          <p>{t('"{name}" belongs to an app. You can ask for more conditions.', { name: move.label })}</p>
          {added.length > 0 && (
            <ChipList
              label={t('Starts from these states as well')}
              options={added}
              values={own?.from ?? []}
              onChange={(from) => set({ from })}
            />
          )}
        </>
      )}
      <fieldset className="stack gap-2">
        <legend>{t('Conditions')}</legend>
        {data.conditions
          .filter(({ name, isOwn: isMine }) => !isMine && (move.needs.includes(name) || isOwn))
          .map(({ name, message }) => (
            <Tick
              key={name}
              label={message}
              isOn={isOwn ? needs.includes(name) : true}
              onChange={(isOn) =>
                isOwn && set({ needs: isOn ? [...needs, name] : needs.filter((each) => each !== name) })
              }
            />
          ))}
        <CheckList
          model={data.model}
          checks={conditions}
          picked={needs}
          onPick={(picked) =>
            set({ needs: [...needs.filter((name) => !conditions.some((each) => each.name === name)), ...picked] })
          }
          onChange={(next, picked) => {
            const kept = withOwn(edit, { conditions: next });
            onChange(
              picked
                ? setMove(kept, move.name, (known) => ({ ...known, needs: [...(known.needs ?? []), picked] }))
                : withoutLost(kept),
            );
          }}
        />
      </fieldset>
      {isOwn && (
        <>
          <fieldset className="stack gap-2">
            <legend>{t('Who may do it')}</legend>
            <p className="small mut">{t('Everybody who may change the record, unless you choose groups.')}</p>
            <ChipList
              label={t('Add a group')}
              options={groups}
              values={own.groups ?? []}
              onChange={(next) => set({ groups: next })}
            />
          </fieldset>
          <fieldset className="stack gap-2">
            <legend>{t('Sets')}</legend>
            <SetList
              fields={data.fields.filter(({ name }) => name !== data.field?.name)}
              sets={own.sets ?? []}
              onChange={(sets) => set({ sets })}
            />
          </fieldset>
          <LabelledInput
            label={t('Ask first')}
            hint={t('Empty: it is done at once.')}
            maxLength={200}
            value={own.warns ?? ''}
            onChange={(event) => set({ warns: event.target.value })}
          />
          <Button
            kind="danger"
            icon="trash-2"
            onClick={() => {
              onChange(setMove(edit, move.name, () => null));
              onSelect(null);
            }}
          >
            {t('Delete the move')}
          </Button>
        </>
      )}
    </div>
  );
}

/** Moves need no condition that was deleted. */
function withoutLost(edit: StatesEdit): StatesEdit {
  const names = new Set((edit.own.conditions ?? []).map(({ name }) => name));
  const moves = (edit.own.moves ?? []).flatMap((move) => {
    const needs = move.needs?.filter((name) => !name.startsWith('x_') || names.has(name)) ?? [];
    const { needs: _, ...rest } = move;
    if (!isOwnMove(move) && needs.length === 0 && !move.from?.length) return [];
    return [needs.length > 0 ? { ...rest, needs } : rest];
  });
  return withOwn(edit, { moves });
}

interface LabelProps {
  readonly edit: StatesEdit;
  readonly extra: CustomiseData;
  readonly label: string;
  readonly onLabel: (label: string) => void;
  readonly onChange: (edit: StatesEdit) => void;
}

/** A label with its translations. */
function Label({ edit, extra, label, onLabel, onChange }: LabelProps) {
  const source = sourceOf(extra);
  const languages = extra.languages.filter(({ code }) => code !== source?.code);
  const said = Object.fromEntries(
    languages.map(({ code }) => [code, edit.words[code]?.[label] ?? extra.words[code]?.[label] ?? '']),
  );
  return (
    <>
      <LabelledInput
        label={t('Label')}
        required
        maxLength={extra.limits.label}
        value={label}
        onChange={(event) => onLabel(event.target.value)}
      />
      {label.trim() !== '' && (
        <details className="">
          <summary>{t('Translations')}</summary>
          <Translations
            {...{ languages }}
            words={said}
            shown={label}
            max={extra.limits.label}
            onChange={(words) => {
              const all = Object.entries(words).map(
                ([lang, text]) => [lang, { ...edit.words[lang], [label]: text }] as const,
              );
              onChange({ ...edit, words: Object.fromEntries(all.filter(([, texts]) => texts[label] !== '')) });
            }}
          />
        </details>
      )}
    </>
  );
}
