import { createServer } from 'node:http';
import { createRequire } from 'node:module';

/**
 * PostGraphile over the tables of the bench, as its documentation sets it up: the caller's role and company are settings of each
 * request, and row security in the database is the rule. Runs on the Node that it asks for; its job comes on standard input.
 */
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { folder, dsn, role, companyId, connections } = JSON.parse(text);
const load = createRequire(`${folder}/package.json`);
const { postgraphile } = load('postgraphile');
const { grafserv } = load('postgraphile/grafserv/node');
const { makePgService } = load('postgraphile/adaptors/pg');
const { makeV4Preset } = load('postgraphile/presets/v4');
const amber = load('postgraphile/presets/amber');

const instance = postgraphile({
  extends: [amber.default ?? amber, makeV4Preset({ disableDefaultMutations: false, dynamicJson: true })],
  pgServices: [
    makePgService({ connectionString: dsn, schemas: ['public'], poolConfig: { max: connections }, pubsub: false }),
  ],
  grafast: { context: () => ({ pgSettings: { role, 'bench.company': String(companyId) } }) },
  grafserv: { graphqlPath: '/api/rpc', graphiql: false, watch: false },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
process.once('SIGTERM', () => process.exit(0));
