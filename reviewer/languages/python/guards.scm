; Functions of the shape respond(action, value).
(function_definition name: (identifier) @name (#eq? @name "respond")) @function
