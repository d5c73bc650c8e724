import { rpc, showError, t } from '@kontor/client';
import { type Conversation, loadPlaces } from './inbox-data.ts';
import type { PickOption } from './pick-panel.tsx';
import type { Inbox } from './use-inbox.ts';

/** Where an unsorted e-mail may be filed: suggestions, or records with the typed name. */
export function useFiling(inbox: Inbox, { recordId }: Conversation): (text: string) => Promise<readonly PickOption[]> {
  const file = async (record: string, name: string) => {
    try {
      await rpc({ model: 'mail.incoming', method: 'call', args: [recordId, 'action_file', { record }] });
    } catch (error) {
      return showError(error);
    }
    inbox.finish(t('Filed on {name}', { name }));
  };
  return async (text) => {
    const places = await loadPlaces(recordId, text);
    return places.map(({ model, id, name, modelLabel }) => ({
      ...{ key: `${model},${id}`, label: name, hint: modelLabel, icon: 'file-text' },
      run: () => void file(`${model},${id}`, name),
    }));
  };
}
