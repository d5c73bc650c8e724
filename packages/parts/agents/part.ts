import { definePart } from '@kontor/kernel';
import { sysProposal } from './proposal.ts';

/** Changes that agents make in the name of users: marked, and only proposed if the key requires it. */
export const agentsPart = definePart({
  name: 'agents',
  models: [sysProposal],
  expires: { clean_changes: [{ model: 'sys.proposal', column: 'create_date', age: '60 days' }] },
});
