import { t } from '../i18n/messages.ts';
import { showError } from './changes.ts';
import { toClientError } from './client-error.ts';
import { request } from './request.ts';
import { showToast } from './toasts.ts';

/** A person mentioned in a comment. */
export interface Mention {
  readonly id: number;
  readonly name: string;
}

/** The result of posting a comment; `unseen` are mentioned people who may not read the record. */
export interface PostedComment {
  readonly id: number;
  readonly unseen?: readonly Mention[];
  readonly canShare?: boolean;
}

interface Thread {
  readonly model: string;
  readonly id: number;
}

/**
 * Says whom a mention did not reach, and offers to give them access, or to remove the mention if that is not possible.
 */
export function reportUnseen(thread: Thread, { id, unseen = [], canShare = false }: PostedComment): void {
  for (const person of unseen) {
    const { name } = person;
    const title = t('{names} cannot open this record and was not notified.', { names: name });
    if (canShare) {
      const run = () => void share(thread, id, person);
      showToast({ kind: 'info', isSticky: true, title, action: { label: t('Share with {name}', { name }), run } });
    } else offerToRemoveMention(id, person, title, t('No list of people on this record would give them access.'));
  }
}

async function share(thread: Thread, message: number, person: Mention): Promise<void> {
  try {
    await request('/web/chatter/share', { json: { ...thread, user: person.id } });
    showToast({ kind: 'success', title: t('{name} can read it now and has been notified.', { name: person.name }) });
  } catch (error) {
    const { code, message: title } = toClientError(error);
    if (code === 'USER_ERROR') offerToRemoveMention(message, person, title);
    else showError(error);
  }
}

function offerToRemoveMention(message: number, { id: user }: Mention, title: string, body?: string): void {
  const takeOut = () => request('/web/chatter/unmention', { json: { message, user } }).catch(showError);
  const action = { label: t('Remove the mention'), run: () => void takeOut() };
  showToast({ kind: 'info', isSticky: true, title, action, ...(body ? { body } : {}) });
}
