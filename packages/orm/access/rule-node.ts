import { conjoin, type DomainNode, disjoin, type Operation } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import type { RuleRow } from '../model/policy.ts';

const companyRule: DomainNode = Object.freeze({
  kind: 'condition',
  path: ['company_id'],
  operator: 'in',
  value: ['$company_id', null],
});

/** Records of the chosen companies, and those without a company. */
function ofCompanies({ actor: { shownCompanyIds: shown } }: Env): DomainNode {
  return shown ? { kind: 'condition', path: ['company_id'], operator: 'in', value: [...shown, null] } : companyRule;
}

const ownRule: DomainNode = Object.freeze({ kind: 'condition', path: ['create_uid'], operator: '=', value: '$uid' });

/**
 * The condition for an operation, with tokens not yet replaced; null if nothing restricts it.
 *
 * - Global rules are ANDed, and each applies to everyone.
 * - Rules of the user's own groups are ORed: being in one more group never shows less.
 * - A rule that an administrator wrote is off while a field that it names is away with its module.
 * - Group rules bind members only. A user in none of a model's rule groups is not restricted by them; what such a user may
 *   do at all is for model access to say.
 * - A model with `company_id` shows rows of the active company, of other companies that the user has chosen to see with it, and
 *   rows without company, on top of its own rules, unless it was defined with `companyRule: false`.
 * - A key may cover only some records of a model, whatever its owner may see.
 * - A transient model shows people the rows of their own making.
 * - What is part of another record is seen and changed with it (`wholeOf`); that is not in this node.
 *
 * Rules are the server's own words: compile them with `rulePredicate`, not together with a caller's domain, whose field
 * rights and related rules must not apply to them.
 */
export function ruleNode(env: Env, model: Model, operation: Operation): DomainNode | null {
  if (env.isSudo) return null;
  const { global, own, company } = bindingRules(env, model, operation);
  const nodes = domains(global);
  if (own.length > 0) nodes.push(disjoin(...domains(own)));
  if (company !== null) nodes.push(company);
  if (model.isTransient) nodes.push(ownRule);
  const ofKey = env.scope?.domain(model.name) ?? null;
  if (ofKey !== null) nodes.push(ofKey);
  const node = conjoin(...nodes);
  return node.kind === 'all' ? null : node;
}

/** The rules that bind the user: all of `global`, one of `own`, and `company`. */
export interface BindingRules {
  readonly global: readonly RuleRow[];
  /** Of the user's groups; empty: none restricts them. */
  readonly own: readonly RuleRow[];
  readonly company: DomainNode | null;
}

export function bindingRules(env: Env, model: Model, operation: Operation): BindingRules {
  const rules = (env.policy.rules.get(model.name) ?? []).filter(
    (rule) => rule.operations.has(operation) && !(rule.isCustom && namesMissingField(env.registry, model, rule.domain)),
  );
  return {
    global: rules.filter((rule) => rule.groups.length === 0),
    own: rules.filter((rule) => rule.groups.some((group) => env.actor.groups.has(group))),
    company: model.hasCompany && model.companyRule !== false ? ofCompanies(env) : null,
  };
}

/** The wholes of a model's records, and the rules that apply to the parts: changing a part counts as changing the whole. */
export interface Whole {
  readonly model: Model;
  readonly link: Field;
  readonly operation: Operation;
}

export function wholeOf(env: Env, model: Model, operation: Operation): Whole | null {
  const link = model.partOf === null ? undefined : model.fields.get(model.partOf);
  if (link === undefined) return null;
  const whole = env.registry.model(link.spec.relation as string);
  return { model: whole, link, operation: operation === 'read' ? 'read' : 'write' };
}

/** Whether rules of the model or of its wholes may hide rows from the caller. */
export function isRestricted(env: Env, model: Model, operation: Operation): boolean {
  if (ruleNode(env, model, operation) !== null) return true;
  const whole = wholeOf(env, model, operation);
  return whole !== null && isRestricted(env, whole.model, whole.operation);
}

interface FieldsByName {
  readonly fields: ReadonlyMap<string, { readonly spec: { readonly relation?: string } }>;
}

/** Whether a domain names a field that does not exist, because its module is not installed. */
export function namesMissingField(
  registry: { readonly models: ReadonlyMap<string, FieldsByName> },
  model: FieldsByName,
  node: DomainNode,
): boolean {
  if (node.kind === 'and' || node.kind === 'or') {
    return node.nodes.some((each) => namesMissingField(registry, model, each));
  }
  if (node.kind === 'not') return namesMissingField(registry, model, node.node);
  if (node.kind !== 'condition') return false;
  let at: FieldsByName | undefined = model;
  for (const name of node.path) {
    const field = at?.fields.get(name);
    if (field === undefined) return true;
    at = registry.models.get(field.spec.relation ?? '');
  }
  return false;
}

function domains(rules: readonly RuleRow[]): DomainNode[] {
  return rules.map((rule) => rule.domain);
}
