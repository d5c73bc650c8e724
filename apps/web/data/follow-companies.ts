import type { Bootstrap, RecordRef } from '@kontor/protocol';
import { changeBootstrap } from '../state/bootstrap.ts';
import { onEvent } from './bus.ts';
import { request } from './request.ts';

/** Updates the companies when one is created or renamed: whoever may use it can switch to it at once. */
export function followCompanies(): void {
  const follow = (event: unknown) => {
    if ((event as RecordRef).model === 'core.company') void refresh().catch(() => {});
  };
  for (const channel of ['record.created', 'record.updated']) onEvent(channel, follow);
}

async function refresh(): Promise<void> {
  const { body } = await request<{ result: Bootstrap }>('/web?model=core.company&view_type=list&limit=1');
  const { company, companies } = body.result;
  changeBootstrap((now) => ({ ...now, company, companies }));
}
