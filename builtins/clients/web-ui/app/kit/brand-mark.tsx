// Renders the logo of the product, an open ring around a dot.
export function BrandMark({ size }: { readonly size: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 64 64" aria-hidden>
      <rect className="brand-mark-ground" width="64" height="64" rx="16" />
      <path className="brand-mark-ring" d="M42.6 18.5a17 17 0 1 0 0 27" fill="none" strokeWidth="6.5" strokeLinecap="round" />
      <circle className="brand-mark-point" cx="37" cy="32" r="6.5" />
    </svg>
  );
}
