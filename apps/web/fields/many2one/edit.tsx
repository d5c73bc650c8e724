import { useState } from 'react';
import { openPanel } from '../../data/form/record-panels.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import type { FieldEditProps } from '../define-field.ts';
import type { Choice } from '../relation/choice-list.tsx';
import { Combobox } from '../relation/combobox.tsx';
import { nameOf, useChoices } from '../relation/use-choices.ts';
import { many2oneText } from './read.tsx';
import '../styles.css';

/** Typeahead over the related model; in a form also a way to make a record, or to open the one that is chosen. */
export function Many2oneEdit(props: FieldEditProps) {
  const { field, node, value, onChange, onCommit, place } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const model = field.relation ?? '';
  const found = useChoices(model, typed, props.domain ?? field.domain ?? []);
  const label = `${field.name}.display_name`;
  const choose = (id: number | null, name: string | null) => {
    onChange(id, { [label]: name });
    onCommit?.();
  };
  const hasPanels = place === 'form' || place === 'grid';
  const canCreate = hasPanels && field.related?.create === true && node.options?.no_create !== true;
  const canOpen = hasPanels && field.related?.read === true && node.options?.no_open !== true;
  const choices: Choice[] = found.records.map((one) => ({
    key: String(one.id),
    label: nameOf(one),
    run: () => choose(one.id, nameOf(one)),
  }));
  const name = typed?.trim() ?? '';
  const isThere = name !== '' && found.records.some((one) => nameOf(one).toLowerCase() === name.toLowerCase());
  if (canCreate && typed !== null && (typed === '' || found.isCurrent) && !isThere) {
    choices.push({
      key: 'new',
      label: name ? t('Create “{name}” …', { name }) : t('Create …'),
      isDim: true,
      run: () =>
        openPanel({
          kind: 'record',
          query: new URLSearchParams({ model, view_type: 'form' }).toString(),
          title: t('New: {label}', { label: props.label }),
          defaults: name ? { name } : {},
          onSaved: (made) => choose(made.id, made.name),
        }),
    });
  }
  const open = () =>
    openPanel({
      kind: 'record',
      query: new URLSearchParams({ model, view_type: 'form', id: String(value) }).toString(),
      title: many2oneText(props),
      defaults: {},
      onSaved: (saved) => onChange(saved.id, { [label]: saved.name }),
    });
  return (
    <span className="field-relation">
      <Combobox
        {...props}
        text={many2oneText(props)}
        typed={typed}
        choices={choices}
        isCurrent={found.isCurrent}
        onTyped={(next) => {
          setTyped(next);
          if (next === '' && typed) choose(null, null);
        }}
      />
      {canOpen && typeof value === 'number' && (
        <IconButton
          className="field-open"
          icon="external-link"
          size={14}
          tabIndex={place === 'grid' ? -1 : 0}
          label={t('Open {name}', { name: many2oneText(props) })}
          onClick={open}
        />
      )}
    </span>
  );
}
