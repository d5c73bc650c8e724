import type { ArchField, CustomiseData } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { useModelFields } from '../../data/model-fields.ts';
import { request } from '../../data/request.ts';
import { whileBusy } from '../../state/idle.ts';

/** What the dialogs for a model offer; a higher `turn` reads it again. Without a name: for a new model. */
export function useCustomiseData(model: string, turn = 0) {
  const [data, setData] = useState<CustomiseData | null>(null);
  const [problem, setProblem] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn reads the same again.
  useEffect(() => {
    whileBusy(request<{ result: CustomiseData }>(`/web/customise?${new URLSearchParams({ model })}`)).then(
      ({ body }) => setData(body.result),
      (error: unknown) => setProblem(toClientError(error).message),
    );
  }, [model, turn]);
  return { data, problem };
}

/** The fields of the model; those of an added one are known before it is published. */
export function useCustomFields({ model, modelFields }: CustomiseData): readonly ArchField[] {
  const running = useModelFields(model, modelFields === undefined);
  return modelFields ? (modelFields as readonly ArchField[]) : running;
}
