; Functions that take an action's name.
(function_definition
  name: (identifier) @name
  parameters: (parameters [
    (identifier) @parameter
    (typed_parameter (identifier) @parameter)
    (typed_default_parameter name: (identifier) @parameter)
  ])
  body: (block) @body
  (#eq? @parameter "action")) @function
