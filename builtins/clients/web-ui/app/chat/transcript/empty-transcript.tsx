// Before anything was said.
export function EmptyTranscript({ isLoaded }: { readonly isLoaded: boolean }) {
  if (!isLoaded) return <p className="empty-transcript muted">Reading the conversation…</p>;
  return (
    <div className="empty-transcript">
      <p className="empty-transcript-title">What shall we do?</p>
      <p className="muted">Ask for a change, a search or an explanation. Drop files here, or type / for commands.</p>
    </div>
  );
}
