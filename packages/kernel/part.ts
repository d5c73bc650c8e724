import { sysModelData } from '@kontor/orm';
import { sysCustomDraft, sysCustomRevision } from './addons/custom/revision-models.ts';
import { sysField, sysModel } from './addons/model-rows.ts';
import { sysMigration, sysModule } from './addons/module-rows.ts';
import { definePart } from './define-part.ts';
import { sysExternalId } from './rpc/external-id-model.ts';
import { sysReach } from './rpc/reach-model.ts';
import { sysIdempotency } from './work/idempotency.ts';
import { sysSignal } from './work/signals.ts';

/** The kernel's own models: modules and their contents, signals, stored answers. */
export const kernelPart = definePart({
  name: 'kernel',
  models: [
    sysModule,
    sysMigration,
    sysModel,
    sysField,
    sysModelData,
    sysExternalId,
    sysReach,
    sysSignal,
    sysIdempotency,
    sysCustomRevision,
    sysCustomDraft,
  ],
  expires: { clean_sessions: [{ model: 'sys.idempotency', column: 'create_date', age: '24 hours' }] },
});
