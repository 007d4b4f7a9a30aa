// Which names a part of a program declares for itself.
import type { AnyNode, Pattern } from 'acorn';

/** Those that count within this node; `undefined` where it declares none. */
export function scopeOf(node: AnyNode): ReadonlySet<string> | undefined {
  switch (node.type) {
    case 'Program':
      return new Set([...node.body.flatMap((one) => declaredIn(one)), ...node.body.flatMap(varsIn)]);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const inner = node.body.type === 'BlockStatement' ? node.body.body.flatMap(varsIn) : [];
      const own = node.type === 'ArrowFunctionExpression' ? [] : ['arguments', ...(node.id ? [node.id.name] : [])];
      return new Set([...node.params.flatMap(namesIn), ...inner, ...own]);
    }
    case 'ClassExpression':
    case 'ClassDeclaration':
      return node.id ? new Set([node.id.name]) : undefined;
    case 'StaticBlock':
      return new Set([...node.body.flatMap((one) => declaredIn(one)), ...node.body.flatMap(varsIn)]);
    case 'BlockStatement':
      return new Set(node.body.flatMap((one) => declaredIn(one)));
    case 'SwitchStatement':
      return new Set(node.cases.flatMap(({ consequent }) => consequent.flatMap((one) => declaredIn(one))));
    case 'ForStatement':
      return node.init?.type === 'VariableDeclaration' ? new Set(declaredIn(node.init)) : undefined;
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? new Set(declaredIn(node.left)) : undefined;
    case 'CatchClause':
      return node.param ? new Set(namesIn(node.param)) : undefined;
    default:
      return undefined;
  }
}

/** What a statement declares in the block that it stands in. */
export function declaredIn(node: AnyNode): string[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => namesIn(id));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id ? [node.id.name] : [];
    case 'ImportDeclaration':
      return node.specifiers.map(({ local }) => local.name);
    case 'ExportNamedDeclaration':
      return node.declaration ? declaredIn(node.declaration) : [];
    case 'ExportDefaultDeclaration':
      return declaredIn(node.declaration);
    default:
      return [];
  }
}

/** Names that `var` declares, at any depth of the function that they belong to. */
function varsIn(node: AnyNode): string[] {
  if (/^(?:Function|ArrowFunction|Class)/.test(node.type)) return [];
  const own = node.type === 'VariableDeclaration' && node.kind === 'var' ? declaredIn(node) : [];
  const inner = Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  return [...own, ...inner.filter((one): one is AnyNode => typeof (one as Partial<AnyNode> | null)?.type === 'string').flatMap(varsIn)];
}

/** All names of a pattern. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesIn(one.type === 'RestElement' ? one.argument : one.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one ? namesIn(one) : []));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}
