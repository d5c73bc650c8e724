import { useEffect, useState } from 'react';
import {
  bootstrap,
  type ChatterProps,
  latestOnly,
  onCatchUp,
  onEvent,
  outgoing,
  type RecordFile,
  type RecordFilesPayload,
  request,
  showError,
  showToast,
  t,
  tn,
} from '../../../door/index.ts';

export interface RecordFiles {
  /** Null until loaded. */
  readonly list: readonly RecordFile[] | null;
  /** Removes files, with Undo. */
  remove(files: readonly RecordFile[]): Promise<void>;
}

/** The files of a record; loaded again whenever something is posted, added or removed, here or elsewhere. */
export function useFiles({ model, recordId }: ChatterProps, onChange: () => void): RecordFiles {
  const [list, setList] = useState<readonly RecordFile[] | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round loads again.
  useEffect(() => {
    const query = new URLSearchParams({ model, id: String(recordId) });
    const load = latestOnly(
      async () => (await request<RecordFilesPayload>(`${bootstrap().wcApiBase}/chatter/files?${query}`)).body.files,
      (found) => {
        setList(found);
        onChange();
      },
    );
    const refresh = () => void load().catch(showError);
    refresh();
    let waiting = outgoing.get().length;
    const stops = [
      onEvent('chatter.posted', (payload) => payload.model === model && payload.id === recordId && refresh()),
      onCatchUp(refresh),
      // Without a bus, reload once the user's own file has been sent.
      outgoing.subscribe(() => {
        const now = outgoing.get().length;
        if (now < waiting) refresh();
        waiting = now;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId, round]);
  const set = async (way: 'remove' | 'restore', ids: readonly number[]) => {
    await request('/web/chatter/post', { json: { model, id: recordId, [way]: ids } });
    setRound((now) => now + 1);
  };
  return {
    list,
    async remove(files) {
      const ids = files.map(({ id }) => id);
      await set('remove', ids);
      const [first] = files;
      showToast({
        kind: 'success',
        title:
          files.length === 1
            ? t('Removed {name}', { name: first?.name ?? '' })
            : tn('Removed {n} file', 'Removed {n} files', files.length),
        action: { label: t('Undo'), run: () => void set('restore', ids).catch(showError) },
      });
    },
  };
}
