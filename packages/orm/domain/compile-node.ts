import type { Sql } from '@kontor/database';
import type { DomainNode } from '@kontor/protocol';
import type { Model } from '../model/model.ts';
import { allOf, anyOf, truth } from './combine.ts';
import { compileCondition } from './compile-condition.ts';
import type { Compiler } from './compiler.ts';

/**
 * Negations are carried down to the conditions, where the exact complement is known: a NOT around a comparison would turn the
 * null of an empty value into null again, not into true.
 */
export function compileNode(compiler: Compiler, model: Model, node: DomainNode, alias: string, isNegated = false): Sql {
  switch (node.kind) {
    case 'all':
      return truth(!isNegated);
    case 'none':
      return truth(isNegated);
    case 'not':
      return compileNode(compiler, model, node.node, alias, !isNegated);
    case 'condition':
      return compileCondition(compiler, model, node, alias, isNegated);
    default: {
      const parts = node.nodes.map((one) => compileNode(compiler, model, one, alias, isNegated));
      return (node.kind === 'and') === isNegated ? anyOf(parts) : allOf(parts);
    }
  }
}
