import { type Html, html } from './html.ts';

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly problems?: readonly string[] | undefined;
  readonly isFirst?: boolean;
}

/** A labelled input with its hint and its problems tied to it for readers of any kind. */
export function formField(field: FormField): Html {
  const problems = field.problems ?? [];
  const described = [field.hint ? `${field.name}-hint` : '', problems.length > 0 ? `${field.name}-problem` : '']
    .filter((id) => id !== '')
    .join(' ');
  return html`<div class="field">
    <label for="${field.name}">${field.label}</label>
    <input id="${field.name}" name="${field.name}" type="${field.type ?? 'text'}" value="${field.value ?? ''}"
      autocomplete="${field.autocomplete}" required ${field.isFirst ? html`autofocus` : ''}
      ${described ? html`aria-describedby="${described}"` : ''} ${problems.length > 0 ? html`aria-invalid="true"` : ''}>
    ${field.hint ? html`<p class="hint" id="${field.name}-hint">${field.hint}</p>` : ''}
    ${problems.length > 0 ? html`<p class="problem" id="${field.name}-problem">${problems.join(' ')}</p>` : ''}
  </div>`;
}

export function notice(kind: 'ok' | 'bad' | '', text: string): Html {
  return html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;
}
