// Shows the source of a formula.

interface Props {
  readonly raw: string;
  readonly isDisplay: boolean;
  /** Reason why the formula is not rendered. */
  readonly fault?: string;
}

export function FormulaSource({ raw, isDisplay, fault }: Props) {
  return (
    <code className={isDisplay ? 'md-formula-source md-formula-lines' : 'md-formula-source'} dir="ltr" title={fault}>
      {raw.trim()}
    </code>
  );
}
