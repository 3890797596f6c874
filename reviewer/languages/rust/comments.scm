; Comments of both forms.
[(line_comment) (block_comment)] @comment
