import { type Registry as FullRegistry, type TextDefinition, type TextPart, textParts } from '@kontor/orm';
import {
  type ActionCall,
  type CallsOf,
  companyValue,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
  open,
  openPath,
} from '@kontor/orm/author';
import { text, UserError, ValidationError } from '@kontor/protocol';
import { previewHtml } from './render-text.ts';
import { shippedText, textMistakes, type WrittenText, withAddedParts } from './shipped-text.ts';

const textFields = {
  key: fields.char({ label: 'Key', required: true, unique: true, size: 120, readonly: true }),
  name: fields.char({ label: 'Text', required: true, size: 200, translated: true, readonly: true }),
  module: fields.char({ label: 'Addon', required: true, size: 64, readonly: true }),
  edit_ids: fields.one2many('sys.text.edit', 'text_id', { label: 'Changed texts', copy: false }),
  edits: fields.integer({ label: 'Changed', computed: true }),
  placeholders: fields.text({ label: 'Placeholders', computed: true }),
  shipped_now: fields.text({ label: 'Shipped text', computed: true }),
};

const editFields = {
  text_id: fields.many2one('sys.text', { label: 'Text', required: true, ondelete: 'cascade', index: true }),
  lang: fields.char({ label: 'Language', required: true, size: 16, default: companyValue('lang') }),
  company_id: fields.many2one('core.company', { label: 'Company', help: 'Empty: for all companies.' }),
  subject: fields.char({ label: 'Subject', size: 1000, computed: true, stored: true, editable: true }),
  body: fields.text({ label: 'Text', computed: true, stored: true, editable: true }),
  button: fields.char({ label: 'Button', size: 1000, computed: true, stored: true, editable: true }),
  note: fields.text({ label: 'Small text', computed: true, stored: true, editable: true }),
  has_subject: fields.boolean({ label: 'Has a subject', computed: true }),
  has_button: fields.boolean({ label: 'Has a button', computed: true }),
  has_note: fields.boolean({ label: 'Has a small text', computed: true }),
  placeholders: fields.text({ label: 'Placeholders', computed: true }),
  shipped: fields.json({ label: 'Shipped when it was changed', readonly: true, copy: false }),
  is_outdated: fields.boolean({ label: 'Shipped text changed', computed: true }),
  shipped_now: fields.text({ label: 'Shipped text', computed: true }),
  preview: fields.html({ label: 'Preview', computed: true }),
};

export interface SysText extends FieldsOf<typeof textFields> {}
export interface SysTextCalls extends CallsOf<typeof sysText> {}
export interface SysTextEdit extends FieldsOf<typeof editFields> {}
export interface SysTextEditCalls extends CallsOf<typeof sysTextEdit> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.text': SysText;
    'sys.text.edit': SysTextEdit;
  }
  interface Calls {
    'sys.text': SysTextCalls;
    'sys.text.edit': SysTextEditCalls;
  }
}

/** The texts that addons declare; a row for each. */
export const sysText = defineModel('sys.text', {
  label: 'Text',
  noCompany: 'Addons bring texts for all companies; what a company changes is a record of its own.',
  closedToAgents: true,
  order: 'name, id',
  fields: textFields,
  computes: {
    edits: { count: 'edit_ids' },
    placeholders: { depends: ['key'], value: ({ key }, { registry }) => placeholderList(registry, key) },
    shipped_now: {
      depends: ['key'],
      value: ({ key }, { registry }) => shippedParts(registry, { key }, registry.language),
    },
  },
  actions: {
    change: {
      label: 'Change this text',
      icon: 'pencil',
      needs: 'read',
      single: 'Choose one text.',
      run: async ({ records }) => {
        const { id } = await records.only('id');
        return open('sys.text.edit', { view: 'form', context: { default_text_id: id } });
      },
    },
  },
});

const changedAlready = 'This text was changed already. Open the one there is.';

type Registry = Pick<FullRegistry, 'texts' | 'language' | 'wordsIn'>;
type Found = { readonly key: string | null } | null | undefined;

/** A text that an administrator changed, for a language, and for a company or all. */
export const sysTextEdit = defineModel('sys.text.edit', {
  label: 'Changed text',
  closedToAgents: true,
  order: 'text_id, lang, id',
  displayName: '{text_id} {lang}',
  fields: editFields,
  uniques: {
    once: { fields: ['text_id', 'lang', 'company_id'], message: changedAlready },
    everywhere: { fields: ['text_id', 'lang'], where: [['company_id', '=', null]], message: changedAlready },
  },
  computes: {
    subject: shippedPart('subject'),
    body: shippedPart('body'),
    button: shippedPart('button'),
    note: shippedPart('note'),
    has_subject: hasPart('subject'),
    has_button: hasPart('button'),
    has_note: hasPart('note'),
    placeholders: {
      depends: ['text_id.key'],
      value: ({ text_id: of }, { registry }) => placeholderList(registry, of?.key),
    },
    is_outdated: {
      depends: ['text_id.key', 'lang', 'shipped', 'subject', 'body', 'button', 'note'],
      value: ({ text_id: of, lang, shipped, subject, body, button, note }, { registry }) => {
        const definition = definitionOf(registry, of);
        if (!definition || shipped === null || !lang) return false;
        const now = shippedText(registry, definition, lang);
        const before = shipped as unknown as WrittenText;
        const isFitting = Object.keys(textMistakes(definition, { subject, body, button, note })).length === 0;
        return !isFitting || textParts.some((part) => now[part] !== before[part]);
      },
    },
    shipped_now: {
      depends: ['text_id.key', 'lang'],
      value: ({ text_id: of, lang }, { registry }) => shippedParts(registry, of, lang),
    },
    preview: {
      depends: ['text_id.key', 'lang', 'shipped', 'subject', 'body', 'button', 'note'],
      value: ({ text_id: of, lang, ...edited }, { registry }) => {
        const definition = definitionOf(registry, of);
        if (!definition || !lang) return '';
        const written = withAddedParts(edited, shippedText(registry, definition, lang));
        return previewHtml(definition, written, lang);
      },
    },
  },
  hooks: {
    afterCreate: async ({ env, ids }) => keepShipped(env, ids),
    on: ['text_id', 'lang', 'subject', 'body', 'button', 'note'],
    afterWrite: async ({ env, ids }) => keepShipped(env, ids),
  },
  actions: {
    reset: {
      label: 'Reset to the shipped text',
      icon: 'rotate-ccw',
      warns: 'Reset to the shipped text? What was changed is deleted.',
      run: async ({ env, records }) => {
        const [first] = await records.load('text_id.id');
        await env.model('sys.text.edit').unlink(records.ids);
        return first && open('sys.text', { id: first.text_id.id });
      },
    },
    keep: {
      label: 'Keep my text',
      icon: 'check',
      run: async ({ env, records }) => keepShipped(env, records.ids),
    },
    preview: {
      label: 'Preview',
      icon: 'eye',
      needs: 'read',
      single: 'Choose one text.',
      asks: { record: fields.reference({ label: 'Record', help: 'Empty: with sample values.' }) },
      run: openPreview,
    },
  },
});

function definitionOf(registry: Registry, of: Found): TextDefinition | undefined {
  return registry.texts.get(of?.key ?? '');
}

/** The parts of the shipped text one below the other. */
function shippedParts(registry: Registry, of: Found, lang: string | null): string {
  const definition = definitionOf(registry, of);
  if (!definition || !lang) return '';
  const now = shippedText(registry, definition, lang);
  return textParts.flatMap((part) => now[part] ?? []).join('\n\n');
}

/** Until somebody changes it, a part is as shipped in the language. */
function shippedPart(part: TextPart) {
  return {
    depends: ['text_id.key', 'lang'] as const,
    value: (
      { text_id: of, lang }: { readonly text_id: Found; readonly lang: string | null },
      { registry }: { readonly registry: Registry },
    ): string | null => {
      const definition = definitionOf(registry, of);
      return definition && lang ? shippedText(registry, definition, lang)[part] : null;
    },
  };
}

function hasPart(part: TextPart) {
  return {
    depends: ['text_id.key'] as const,
    value: ({ text_id: of }: { readonly text_id: Found }, { registry }: { readonly registry: Registry }): boolean =>
      (definitionOf(registry, of)?.[part] ?? null) !== null,
  };
}

function placeholderList(registry: Registry, key: string | null | undefined): string {
  const values = registry.texts.get(key ?? '')?.values ?? {};
  const translate = registry.wordsIn(registry.language);
  return Object.entries(values)
    .map(([name, { label }]) => `{${name}}  ${translate(label, (key ?? '').split('.')[0])}`)
    .join('\n');
}

/** Checks changed texts, and keeps what was shipped at that time. */
async function keepShipped(env: Env, ids: readonly number[]): Promise<void> {
  const edits = env.model('sys.text.edit');
  for (const edit of await edits.load(ids, ['text_id.key', 'lang', ...textParts])) {
    const definition = definitionOf(env.registry, edit.text_id);
    if (!definition) throw new UserError('This text no longer exists.');
    const mistakes = Object.entries(textMistakes(definition, edit));
    if (mistakes.length > 0) {
      throw new ValidationError(Object.fromEntries(mistakes.map(([part, mistake]) => [part, [mistake]])));
    }
    // As the server: nobody writes it by hand.
    const shipped = shippedText(env.registry, definition, edit.lang);
    await env.sudo().model('sys.text.edit').write([edit.id], { shipped });
  }
}

type PreviewCall = ActionCall<'sys.text.edit', { readonly record: ReturnType<typeof fields.reference> }>;

async function openPreview({ env, records, answers }: PreviewCall) {
  const { id, text_id: of } = await records.only('text_id.key');
  const [model = '', recordId = ''] = answers.record?.split(',') ?? [];
  if (model === '') return openPath(`/web/texts/${id}.html`);
  const definition = definitionOf(env.registry, of);
  if (!definition?.load || definition.model !== model) {
    const label = definition?.model ? env.registry.models.get(definition.model)?.label : undefined;
    const mistake = label
      ? text('Choose a record of this kind: {label}.', { label })
      : text('This text is shown with sample values only.');
    throw new ValidationError({ record: [mistake] });
  }
  return openPath(`/web/texts/${id}.html?record=${recordId}`);
}
